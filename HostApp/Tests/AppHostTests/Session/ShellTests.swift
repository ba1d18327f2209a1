import Console
import PluginCore
import PluginExtension
import Testing

@testable import AppHost

@MainActor
@Suite("The interactive shell", .tags(.small))
struct ShellTests {
    @Test("The help names every host command of the shell and fits the width")
    func help() {
        for width in [nil, 100, 60] {
            let help = Shell.help(width: width)
            let words = Set(help.split { !$0.isLetter })
            for command in HostCommands.inShell { #expect(words.contains(Substring(command.description.name))) }
            #expect(help.split(separator: "\n").allSatisfy { $0.count <= width ?? 130 }, "\(help)")
        }
    }

    @Test(
        "A line is split at spaces except in quoted words and values",
        arguments: [
            ("install  a b ", ["install", "a", "b"]), (#"install "a b.zip" c"#, ["install", "a b.zip", "c"]),
            (#"trust add x --key="a \"b" --name "c d""#, ["trust", "add", "x", #"--key=a "b"#, "--name", "c d"]),
            (#"info a"b c"#, ["info", #"a"b"#, "c"]), ("", []), (#"x "" -v"#, ["x", "", "-v"]),
        ])
    func words(line: String, expected: [String]) throws { #expect(try line.lineWords() == expected) }

    @Test("An unterminated quotation mark is an error", arguments: [#"install "a b"#, #"trust --key="a"b"#])
    func openQuote(line: String) { #expect(throws: UsageError.self) { try line.lineWords() } }

    @Test("A keyboard deletes at most the text before the insertion point, and nothing for a negative number")
    func apply() {
        var field = ""
        field.apply(TextChange(inserting: "Shop -"))
        field.apply(TextChange(deleting: 1, inserting: "→"))
        #expect(field == "Shop →")
        field.apply(TextChange(deleting: -3, inserting: "!"))
        #expect(field == "Shop →!")
        field.apply(TextChange(deleting: .max))
        #expect(field == "")
    }
}
