import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("The README", .tags(.large))
struct ReadmeTests {
    @Test("The plugin of the README is the one of the page on writing a plugin, and of the first page of the site")
    func plugin() throws {
        let readme = try #require(try DocumentPage("README.md").blocks(in: "A plugin in ten lines").first)
        #expect(try DocumentPage("Documentation/WritingAPlugin.md").blocks(in: "The plugin").first == readme)
        #expect(try DocumentPage("Documentation/Atrium.docc/Atrium.md").blocks(in: "Overview").first == readme)
    }
}

@Suite("The page on commands", .tags(.large))
struct CommandsPageTests {
    @Test("Documentation/Commands.md has a row for each command, and no other", arguments: ["hostapp", "bundletool"])
    func commands(program: String) async throws {
        let host = try HostApp.find()
        let help = try await (program == "hostapp" ? host.hostapp : host.bundletool).run("--help").stdout
        let list = try #require(
            help.components(separatedBy: "\nCommands:\n").last?.components(separatedBy: "\n\n").first)
        let commands = list.split(separator: "\n").compactMap { $0.wholeMatch(of: #/  ([a-z-]+) .*/#)?.output.1 }.map(
            String.init)
        #expect(commands.count > 5)

        let page = try DocumentPage("Documentation/Commands.md").text
        let chapter = try #require(
            page.components(separatedBy: "\n## \(program)\n").last?.components(separatedBy: "\n## ").first)
        // `pin ID[@RANGE]`, `unpin ID`: several commands may share a row. A subcommand follows its command.
        let rows = chapter.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { $0.split(separator: " | ")[0] }
        let shown = rows.flatMap { $0.matches(of: /`([a-z][a-z-]*)[^`]*`/).map { String($0.output.1) } }
        #expect(Set(commands).subtracting(shown) == [])
        let subcommands: Set = ["list", "run", "clear", "add", "rotate", "revoke", "extract"]
        #expect(Set(shown).subtracting(commands).subtracting(subcommands) == [])
    }
}
