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

        @Test(
            "Output has escape sequences on a terminal only, and neither with NO_COLOR nor on a dumb one",
            arguments: commands)
        func plain(words: [String]) async throws {
            let fixture = try await Scene(installed: account)
            for (environment, isStyled) in [([:], true), (["NO_COLOR": "1"], false), (["TERM": "dumb"], false)] {
                let result = try await fixture.host.hostapp.startOnTerminal(words, environment: environment).result()
                #expect(!result.stdout.isEmpty && result.stdout.contains("\u{1B}") == isStyled, "\(result)")
            }
            let piped = try await fixture.host.hostapp.run(words, environment: ["TERM": "xterm"])
            let text = piped.stdout + piped.stderr
            #expect(!text.isEmpty && !text.contains("\u{1B}"), "\(piped)")
        }
    }
}
