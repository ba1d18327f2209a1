import PluginCore
import PluginTestKit
import Testing

/// A text with sequences that would affect a terminal.
///
/// It contains sequences for clearing the screen, color, and the window title, a C1 control, a change of direction, and an
/// invisible character.
private let hostile = "\u{1B}[2J\u{1B}[31mX\u{1B}]0;title\u{7}\u{9B}5m\u{202E}Y\u{200B}\r\u{8}"

@Suite("Text that would control the terminal", .tags(.large))
struct HostileTextTests {
    @Test(
        "Control characters in an argument are escaped",
        arguments: [
            ["install", hostile], ["install", "com.example.app.shop@\(hostile)"], ["open", hostile],
            ["open", "app://shop/\(hostile)"], ["open", "app://shop/%1b%5b2J"], ["open", "app://shop/item/%1b%5b2J"],
            ["open", "app://shop/%zz\(hostile)"], ["open", "app://account", "--tap", hostile], ["info", hostile],
            ["history", hostile], ["list", "--\(hostile)"], ["list", "--json=\(hostile)"], [hostile],
            ["open", "--composition", "/tmp/\(hostile)"],
        ])
    func argument(arguments: [String]) async throws {
        let scene = try Scene()
        for arguments in [arguments, arguments + ["--json"]] {
            let result = try await scene.host.hostapp.run(arguments)
            #expect([64, 65, 66].contains(result.status), "\(result)")
            #expect(controls(in: result.stdout + result.stderr) == [], "\(arguments)")
        }
    }

    @Test("Control characters in a manifest are escaped")
    func manifest() async throws {
        let scene = try Scene()
        let json = hostile.unicodeScalars.map { scalar in
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
        try scene.change(Scene.account) { package in
            try package.setManifest("name", to: "\"\(json)\"")
            try package.setManifest("summary", to: "\"\(json)\"")
            try package.edit("Resources/Pages/help.json") { bytes in
                let page =
                    #"{"title": "T", "content": [{"text": "T"}], "actions": [{"id": "T", "title": "T", "open": "T"}]}"#
                bytes = Array("{\"pages\": {\"about\": \(page.replacing("\"T\"", with: "\"\(json)\""))}}".utf8)
            }
        }
        try await scene.run("install", Scene.account)
        for arguments in [["catalog"], ["list"], ["info", Scene.account], ["open", "app://account/about"]] {
            for arguments in [arguments, arguments + ["--json"]] {
                let result = try await scene.host.hostapp.run(arguments)
                #expect(result.status == 0, "\(result)")
                #expect(controls(in: result.stdout + result.stderr) == [], "\(arguments)")
                let terminal = try scene.host.hostapp.startOnTerminal(arguments, environment: ["NO_COLOR": "1"])
                let shown = try await terminal.result().stdout
                #expect(controls(in: shown.replacing("\r\n", with: "\n")) == [], "\(arguments)")
                #expect(shown.contains("[2J"))
            }
        }
    }
}
