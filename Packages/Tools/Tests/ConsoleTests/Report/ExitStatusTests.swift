import Console
import FoundationEssentials
import PluginCore
import Testing

@Suite("Exit statuses of the programs", .tags(.small))
struct ExitStatusTests {
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
