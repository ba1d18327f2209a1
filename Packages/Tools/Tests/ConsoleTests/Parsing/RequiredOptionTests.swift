import Console
import Testing

@Suite("Required options", .tags(.small))
struct RequiredOptionTests {
    private static let program = Command(
        "tool", summary: "Works.",
        subcommands: [
            Command(
                "send", summary: "Send a file.", arguments: [.required("file", help: "The file.")],
                options: [
                    .flag("fast", help: "Hurry."),
                    .value("to", placeholder: "place", presence: .required, help: "Where to."),
                    .value("mail", placeholder: "name", presence: .oneOf("who"), help: "To whom."),
                    .value("post", placeholder: "town", presence: .oneOf("who"), help: "To which town."),
                ])
        ])

    private func error(_ words: [String]) throws -> UsageError {
        try #require(throws: UsageError.self) { try CommandLineParser(Self.program).parse(["send"] + words) }
    }

    private func message(_ words: String...) throws -> String { try error(words).report.message }

    @Test("The remedy for a missing required option is a complete, valid command line")
    func remedies() throws {
        #expect(Self.program.problems == [])
        let lines = ["tool send <file> --to <place> --mail <name>", "tool send <file> --to <place> --post <town>"]
        for (words, subject) in [
            (["a"], "--to <place>"), (["a", "--to", "x"], "--mail <name> or --post <town>"),
            (["--to", "x", "--mail", "y"], "<file>"),
        ] {
            let error = try error(words)
            #expect(error.code == .missingArgument && error.report.message == "tool send needs \(subject)")
            #expect(error.report.remedy == "write \"\(lines[0])\" or \"\(lines[1])\"")
        }
        for line in lines {
            #expect(try CommandLineParser(Self.program).parse(line: String(line.dropFirst(5))).intent == .run)
        }
    }

    @Test("A required option with a blank value, as from an unset variable, is missing", arguments: ["", " "])
    func blank(value: String) throws {
        #expect(try message("a", "--to", value, "--mail", "y") == "tool send needs --to <place>")
        #expect(try message("a", "--to", "x", "--post=\(value)") == "tool send needs --mail <name> or --post <town>")
    }

    @Test("Two options of the same group cannot be used together")
    func conflict() throws {
        let message = try message("a", "--to", "x", "--mail", "y", "--post", "z")
        #expect(message == "options --mail and --post cannot be used together")
    }
}
