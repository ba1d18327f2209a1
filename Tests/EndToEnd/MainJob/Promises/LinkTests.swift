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

        @Test("A web link that the system's program can't open is an error")
        func openerFails() async throws {
            let (scene, links) = (try Scene(), try RecordedLinks(then: "exit 3"))
            let result = try await scene.host.hostapp.run(
                "open", "--system-links", "open", "https://example.com/", environment: links.environment)
            #expect(result.status == 69, "\(result)")
        }

        @Test("doctor --fix asks on a terminal, and does only what was answered with yes")
        func doctor() async throws {
            let scene = try await Scene(installed: shop)
            let left = scene.code(of: shop).appending("9.9.9-abc").string
            try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
            let unasked = try await scene.host.run("doctor", "--fix")
            #expect(unasked.status == 64 && FileManager.default.fileExists(atPath: left), "\(unasked)")
            for (answer, text) in [("", "Not done: hostapp gc"), ("y", "Done: hostapp gc")] {
                let process = try scene.host.startOnTerminal("doctor", "--fix", environment: ["NO_COLOR": "1"])
                let question = try await process.wait(for: "Run \"hostapp gc\"? [y/N] ")
                #expect(question.contains("9.9.9-abc: nothing needs it"), "\(question)")
                try await process.send("\(answer)\n")
                let result = try await process.result()
                #expect(result.stdout.contains(text) && result.status == 0, "\(result)")
                #expect(FileManager.default.fileExists(atPath: left) == answer.isEmpty)
            }
        }

        @Test("A host for web links that a host has started for one does not start the system's program again")
        func loop() async throws {
            let scene = try Scene()
            // The program for web links is the host itself.
            let host = scene.commandLine.map { "\"\($0)\"" }.joined(separator: " ")
            let links = try RecordedLinks(
                then: "exec \(host) open --external --system-links open \"$1\" > inner 2>&1")
            let result = try await scene.host.hostapp.run(
                "open", "--system-links", "open", "https://example.com/", environment: links.environment)
            // A host waits two seconds for the program, and on a busy machine the other host may need longer.
            let end = ContinuousClock.now + .seconds(60)
            var inner = ""
            while !inner.contains("the app had passed it on before, and the system has returned it") {
                try #require(ContinuousClock.now < end, "\(result), \(inner)")
                try await Task.sleep(for: .milliseconds(5))
                inner = links.text(of: "inner") ?? ""
            }
            #expect(links.opened == "https://example.com/\n", "\(result)")
        }
    }
}
