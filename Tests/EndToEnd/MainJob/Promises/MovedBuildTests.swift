import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("The build folder", .tags(.large))
    struct MovedBuildTests {
        @Test("The build works in another folder and with an empty environment")
        func moved() async throws {
            let original = try HostApp.find()
            let folder = try ThrowawayFolder()
            let copy = HostApp(build: folder.appending("a folder/of the user"))
            // A separate process copies the files, because a program that this process has open for writing cannot be started.
            let move = #"mkdir -p "$(dirname "$2")" && cp -R "$1" "$2""#
            let paths = [original.build.string, copy.build.string]
            try await Executable("/bin/sh").run(["-c", move, "sh"] + paths).succeeded()
            // With `env -i`, the variables PATH, HOME and LD_LIBRARY_PATH are not set.
            let empty = Executable("/usr/bin/env", leading: ["-i"])
            let sandbox = try ThrowawaySandbox()
            let hostapp = [copy.hostapp.path.string, "--sandbox", sandbox.root.string]

            let catalog = try await empty.run(hostapp + ["catalog", "--json"])
            #expect(try catalog.json(as: JSON.self).packages.elements.count == 10)
            let opened = try await empty.run(hostapp + ["open", "app://shop/item/42", "--tap", "buy"])
            #expect(opened.status == 0 && opened.lines.contains("Bought Desk lamp: order 1"), "\(opened)")
            let package = copy.catalog.appending("\(shop)-1.1.0.zip").string
            let inspected = try await empty.run(copy.bundletool.path.string, "inspect", package)
            #expect(inspected.status == 0 && inspected.lines.first == "Shop 1.1.0", "\(inspected)")

            // The shared libraries and the composition must come from the copy and not from the original build.
            let shell = try empty.start(hostapp + ["shell", "app://shop/answer"])
            try await shell.wait(for: "(orders)\n")
            let names = try FileManager.default.contentsOfDirectory(atPath: original.build.appending("lib").string)
            let shared = try await shell.mappedFiles().filter { names.contains($0.lastComponent) }
            #expect(shared.count > 10 && Set(shared.map(\.parent)) == [copy.build.appending("lib")], "\(shared)")
            #expect(try await shell.end().status == 0)
        }

        @Test("Without its texts, the host works, and reports errors by codes, reasons and values, with a note")
        func withoutTexts() async throws {
            let original = try HostApp.find()
            let folder = try ThrowawayFolder()
            for part in ["bin", "lib"] {
                try await Executable("/bin/cp").run(
                    "-R", original.build.appending(part).string, folder.path.string
                ).succeeded()
            }
            let host = HostApp(build: folder.path).with(sandbox: try ThrowawaySandbox())
            func note(_ language: String) -> String {
                "note: the program's texts are incomplete: there is no share/atrium/\(language).json beside the folder "
                    + "\(folder.path.string)/bin; install it again\n"
            }
            let listed = try await host.run("list")
            #expect(listed.stdout == "Nothing is installed.\n" && listed.stderr == "", "\(listed)")
            let unknown = try await host.run("uninstall", "com.example.a")
            #expect(unknown.status == 66, "\(unknown)")
            #expect(unknown.stderr == "error: bundleNotInstalled: \"com.example.a\"\n" + note("en"), "\(unknown)")
            let document = try await host.run("open", "app://nowhere", "--json")
            #expect(document.status == 66 && document.stdout.contains("\"code\": \"routeUnknown\""), "\(document)")
            let chinese = try await host.run("list", "--language", "zh-Hans")
            #expect(chinese.stdout == "Nothing is installed.\n" && chinese.stderr == note("zh-Hans"), "\(chinese)")
            let damaged = try folder.write("damaged", to: "damaged.zip")
            let inspected = try await host.bundletool.run("inspect", damaged.string)
            #expect(inspected.stderr.hasSuffix(note("en")), "\(inspected)")
        }
    }
}
