import Console
import Testing

@Suite("Usage errors", .tags(.small))
struct UsageErrorTests {
    private let parser = CommandLineParser(sample)

    struct Row: Sendable {
        let line: String
        let code: UsageError.Code
        let subject: String
        var nearest: String?
        /// The command after the name of the program.
        var command = ""
    }

    @Test(
        "A usage error contains its kind, the word and the command",
        arguments: [
            Row(line: "instal x", code: .unknownCommand, subject: "instal", nearest: "install"),
            Row(line: "INSTALL x", code: .unknownCommand, subject: "INSTALL", nearest: "install"),
            Row(line: "ext", code: .unknownCommand, subject: "ext", nearest: "extension"),
            Row(line: "zzz", code: .unknownCommand, subject: "zzz"),
            Row(
                line: "route expalin x", code: .unknownCommand, subject: "expalin", nearest: "explain", command: "route"
            ),
            Row(line: "", code: .missingCommand, subject: "<command>"),
            Row(line: "--json route", code: .missingCommand, subject: "<command>", command: "route"),
            Row(line: "--jsn list", code: .unknownOption, subject: "--jsn", nearest: "--json"),
            Row(line: "list -json", code: .unknownOption, subject: "-json", nearest: "--json", command: "list"),
            Row(line: "list -x", code: .unknownOption, subject: "-x", command: "list"),
            Row(line: "list -vx", code: .unknownOption, subject: "-vx", command: "list"),
            Row(line: "list --bogus=1", code: .unknownOption, subject: "--bogus", command: "list"),
            Row(line: "list --force", code: .unknownOption, subject: "--force", command: "list"),
            Row(line: "list -5x", code: .unknownOption, subject: "-5x", command: "list"),
            Row(line: "list --sandbox", code: .missingValue, subject: "--sandbox", command: "list"),
            Row(line: "-s --json list", code: .missingValue, subject: "--sandbox"),
            Row(line: "--sandbox -- list", code: .missingValue, subject: "--sandbox"),
            Row(line: "--json=yes list", code: .unexpectedValue, subject: "--json"),
            Row(line: "-v=2 list", code: .unexpectedValue, subject: "--verbose"),
            Row(line: "install", code: .missingArgument, subject: "<identifier>", command: "install"),
            Row(line: "remove --", code: .missingArgument, subject: "<identifier>", command: "remove"),
            Row(line: "list extra", code: .unexpectedArgument, subject: "extra", command: "list"),
            Row(line: "install a b c d", code: .unexpectedArgument, subject: "c", command: "install"),
            Row(line: "-s a list -s b", code: .repeatedOption, subject: "--sandbox", command: "list"),
            Row(line: "--json list --json", code: .repeatedOption, subject: "--json", command: "list"),
        ])
    func faults(row: Row) {
        let error = #expect(throws: UsageError.self) { try parser.parse(line: row.line) }
        #expect(error?.code == row.code && error?.subject == row.subject)
        #expect(
            error?.nearest == row.nearest
                && error?.command == ["hostapp"] + row.command.split(separator: " ").map(String.init))
    }

    @Test(
        "The text of every usage error contains a remedy",
        arguments: [
            ("instal x", #"hostapp has no command "instal""#, #"did you mean "install"? See "hostapp --help""#),
            (
                "route zzz", #"hostapp route has no command "zzz""#,
                #"use one of explain, list; see "hostapp route --help""#
            ),
            (
                "list --jsn", #"hostapp list has no option "--jsn""#,
                #"did you mean "--json"? See "hostapp list --help""#
            ),
            ("list --sandbox", "option --sandbox needs a value", "write --sandbox <path>"),
            ("list --json=yes", #"option --json takes no value, but was given "yes""#, "write --json alone"),
            ("install", "hostapp install needs <identifier>", #"write "hostapp install <identifier> [<version>]""#),
            (
                "list a\u{1B}[2J", "hostapp list takes no further argument, but was given \"a\\u{1B}[2J\"",
                #"see "hostapp list --help""#
            ),
            ("list -s a -s b", "option --sandbox was given twice", "give --sandbox once"),
        ])
    func words(line: String, message: String, remedy: String) {
        let error = #expect(throws: UsageError.self) { try parser.parse(line: line) }
        #expect(error?.report.text() == "error: \(message)\n  remedy: \(remedy)\n")
    }
}
