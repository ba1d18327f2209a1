import PluginTestKit
import Testing

extension MainJob {
    @Suite("Escape sequences in the output", .tags(.large))
    struct PlainTextTests {
        /// Commands that print styled headings, columns, pages and errors.
        private static let commands: [[String]] = [
            ["--help"], ["catalog"], ["list"], ["info", account], ["history"], ["open", "app://account"],
            ["open", "app://acount"], ["install", "com.example.app.acount"], ["install", shop], ["instal"],
        ]

        @Test("Output has escape sequences on a terminal only, and neither with NO_COLOR nor on a dumb one")
        func plain() async throws {
            let host = try await Scene(installed: account).host.hostapp
            for words in Self.commands {
                for (environment, isStyled) in [([:], true), (["NO_COLOR": "1"], false), (["TERM": "dumb"], false)] {
                    let result = try await host.startOnTerminal(words, environment: environment).result()
                    #expect(!result.stdout.isEmpty && result.stdout.contains("\u{1B}") == isStyled, "\(result)")
                }
                let piped = try await host.run(words, environment: ["TERM": "xterm"])
                let text = piped.stdout + piped.stderr
                #expect(!text.isEmpty && !text.contains("\u{1B}"), "\(piped)")
            }
        }
    }
}
