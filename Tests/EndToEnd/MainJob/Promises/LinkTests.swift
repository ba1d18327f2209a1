import Foundation
import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Links that leave the app", .tags(.large))
    struct LinkTests {
        @Test("On a terminal, a web link shows where it leads, and is passed on after a yes only")
        func question() async throws {
            let (scene, links) = (try Scene(), try RecordedLinks())
            let link = "https://bank.example@evil.example/\u{202E}x"
            for (answer, status) in [("n", 77), ("y", 0)] as [(String, Int32)] {
                let process = try scene.host.startOnTerminal("open", link, environment: links.environment)
                let text = try await process.wait(for: "[y/N] ")
                #expect(text.contains("Link: https://bank.example@evil.example/%E2%80%AEx\r\n"), "\(text)")
                #expect(text.contains("Server: evil.example\r\n"), "\(text)")
                try await process.send("\(answer)\n")
                let result = try await process.result()
                #expect(result.status == status, "\(result)")
                #expect(links.opened == (answer == "y" ? "https://bank.example@evil.example/%E2%80%AEx\n" : nil))
            }
        }

        @Test("A host that the system has started for a link does not pass it on again")
        func returned() async throws {
            let links = try RecordedLinks()
            let result = try await Scene().host.hostapp.run(
                "open", "--external", "--system-links", "open", "https://example.com/",
                environment: links.environment.merging(["ATRIUM_LINK": "1"]) { $1 })
            #expect(result.status == 77 && result.stderr.contains("the system has returned it"), "\(result)")
            #expect(links.opened == nil)
        }

        @Test("doctor --fix asks on a terminal, and does only what was answered with yes")
        func doctor() async throws {
            let scene = try await Scene(installed: shop)
            let left = scene.code(of: shop).appending("9.9.9-abc")
            try left.makeFolder()
            let unasked = try await scene.host.run("doctor", "--fix")
            #expect(unasked.status == 64 && left.exists, "\(unasked)")
            for (answer, text) in [("", "Not done: hostapp gc"), ("y", "Done: hostapp gc")] {
                let process = try scene.host.startOnTerminal("doctor", "--fix", environment: ["NO_COLOR": "1"])
                let question = try await process.wait(for: "Run \"hostapp gc\"? [y/N] ")
                #expect(question.contains("9.9.9-abc: nothing needs it"), "\(question)")
                try await process.send("\(answer)\n")
                let result = try await process.result()
                #expect(result.stdout.contains(text) && result.status == 0, "\(result)")
                #expect(left.exists == answer.isEmpty)
            }
        }
    }
}
