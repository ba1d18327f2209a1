import PluginTestKit
import Testing

extension MainJob {
    @Suite("Escape sequences in the output", .tags(.large))
    struct PlainTextTests {
        /// Commands that print styled headings, columns, pages and errors.
        static let commands: [[String]] = [
            ["--help"], ["catalog"], ["list"], ["info", account], ["history"], ["open", "app://account"],
            ["open", "app://acount"], ["install", "com.example.app.acount"], ["install", shop], ["instal"],
        ]

        @Test("The output to a terminal contains escape sequences", arguments: commands)
        func styled(words: [String]) async throws {
            let fixture = try await HostFixture(with: account)
            let result = try await fixture.host.hostapp.startOnTerminal(words).result()
            #expect(result.stdout.contains("\u{1B}["), "\(result)")
        }

        @Test("The output contains no escape sequences with NO_COLOR or on a dumb terminal", arguments: commands)
        func plain(words: [String]) async throws {
            let fixture = try await HostFixture(with: account)
            for environment in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
                let result = try await fixture.host.hostapp.startOnTerminal(words, environment: environment).result()
                #expect(!result.stdout.isEmpty && !result.stdout.contains("\u{1B}"), "\(environment): \(result)")
            }
        }

        @Test("The output to a pipe contains no escape sequences", arguments: commands)
        func piped(words: [String]) async throws {
            let fixture = try await HostFixture(with: account)
            let result = try await fixture.host.hostapp.run(words, environment: ["TERM": "xterm"])
            #expect(!(result.stdout + result.stderr).isEmpty)
            #expect(!(result.stdout + result.stderr).contains("\u{1B}"), "\(result)")
        }
    }
}
