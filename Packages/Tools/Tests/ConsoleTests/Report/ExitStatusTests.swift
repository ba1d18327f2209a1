import Console
import FoundationEssentials
import PluginCore
import Testing

@Suite("Exit statuses of the programs", .tags(.small))
struct ExitStatusTests {
    @Test("Each exit status has its own meaning, in ascending order")
    func meanings() {
        #expect(ExitStatus.all.map(\.rawValue) == [0, 1, 64, 65, 66, 69, 70, 74, 75, 77])
        #expect(Set(ExitStatus.all.map(\.meaning)).count == ExitStatus.all.count)
        #expect(ExitStatus.all.allSatisfy { $0.meaning.hasSuffix(".") })
        #expect(ExitStatus(rawValue: 42).meaning == "")
    }

    @Test("The help of a program lists its exit statuses, and the help of its commands does not")
    func help() throws {
        let program = Command(
            "tool", summary: "Works.", subcommands: [Command("go", summary: "Go.")], exitStatuses: [.done, .tryLater])
        let help = HelpRenderer(program, width: 120)
        let section = "\nExit status:\n  0   \(ExitStatus.done.meaning)\n  75  \(ExitStatus.tryLater.meaning)\n"
        #expect(try #require(help.text()).contains(section))
        #expect(try !#require(help.text(for: ["go"])).contains("Exit status"))
    }

    @Test("The table of exit statuses in Documentation/Commands.md is that of the help")
    func commandsPage() throws {
        let file = repository.appending("Documentation/Commands.md")
        let page = try String(contentsOf: URL(filePath: file.string), encoding: .utf8)
        let rows = ExitStatus.all.map { "| \($0.rawValue) | \($0.meaning) |\n" }.joined()
        #expect(page.contains(rows))
    }
}
