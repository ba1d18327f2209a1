import PluginTestKit
import Testing

extension MainJob {
    @Suite("Escapes")
    struct PlainTextTests {
        /// Commands that draw headings, columns, pages and errors in styles.
        static let commands: [[String]] = [
            ["--help"], ["catalog"], ["list"], ["info", account], ["history"], ["open", "app://account"],
            ["open", "app://acount"], ["install", "com.example.app.acount"], ["instal"],
        ]

        @Test("are for terminals", arguments: commands)
        func styled(words: [String]) async throws {
            let house = try await House(with: account)
            let result = try await house.host.hostapp.startOnTerminal(words).result()
            #expect(result.stdout.contains("\u{1B}["), "\(result)")
        }

        @Test("stay away with NO_COLOR, and from terminals that know none", arguments: commands)
        func plain(words: [String]) async throws {
            let house = try await House(with: account)
            for environment in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
                let result = try await house.host.hostapp.startOnTerminal(words, environment: environment).result()
                #expect(!result.stdout.isEmpty && !result.stdout.contains("\u{1B}"), "\(environment): \(result)")
            }
        }

        @Test("stay away from pipes", arguments: commands)
        func piped(words: [String]) async throws {
            let house = try await House(with: account)
            let result = try await house.host.hostapp.run(words, environment: ["TERM": "xterm"])
            #expect(!(result.stdout + result.stderr).isEmpty)
            #expect(!(result.stdout + result.stderr).contains("\u{1B}"), "\(result)")
        }
    }
}
