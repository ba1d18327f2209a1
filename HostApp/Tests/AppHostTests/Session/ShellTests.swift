import Console
import Testing

@testable import AppHost

@MainActor
@Suite("A shell")
struct ShellTests {
    @Test("names every command of the host that it takes, in lines that fit")
    func help() {
        let words = Set(Shell.help.split { !$0.isLetter })
        for command in HostCommands.inShell { #expect(words.contains(Substring(command.description.name))) }
        #expect(Shell.help.split(separator: "\n").allSatisfy { $0.count <= 110 })
    }

    @Test("records what does something, and not what only looks")
    func steps() {
        for name in Shell.looks { #expect(HostCommands.inShell.contains { $0.description.name == name }) }
        for line in ["doctor", "why com.example.a", "verify", "outdated --check", "trust list", "page", "list"] {
            #expect(!Shell.isStep(line), "\(line)")
        }
        for line in ["update", "gc", "doctor --rebuild", "trust add", "open app://a", "1"] {
            #expect(Shell.isStep(line), "\(line)")
        }
    }
}
