import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("Manual pages", .tags(.large), .timeLimit(.minutes(5)))
struct ManualTests {
    /// The programs, and the paths of all their commands as their help lists them.
    private static func commands(of program: Executable, _ path: [String] = []) async throws -> [[String]] {
        let help = try await program.run(path + ["--help"]).stdout
        guard let list = help.components(separatedBy: "\nCommands:\n").dropFirst().last else { return [path] }
        let names = list.components(separatedBy: "\n\n")[0].split(separator: "\n")
            .compactMap { $0.firstMatch(of: #/^ {2}([a-z][a-z-]*) /#)?.output.1 }.map(String.init)
        var all = [path]
        for name in names { all += try await commands(of: program, path + [name]) }
        return all
    }

    @Test(
        "Each command and each of its options is in a manual page, and no page has an error",
        arguments: ["hostapp", "bundletool"])
    func pages(name: String) async throws {
        let host = try HostApp.find()
        let program = name == "hostapp" ? host.hostapp : host.bundletool
        let folder = try ThrowawayFolder()
        let names = try await program.run("__manual").lines
        let commands = try await Self.commands(of: program)
        #expect(names.sorted() == commands.map { ([name] + $0).joined(separator: "-") }.sorted() && names.count > 20)
        var files: [String] = []
        for page in names {
            let source = try await program.run("__manual", page, "2026-01-31").stdout
            files.append(try folder.write(Array(source.utf8), to: page + ".1").string)
        }
        let lint = try await Executable("/usr/bin/mandoc").run(["-Tlint"] + files)
        #expect(lint.status == 0 && lint.stdout.isEmpty && lint.stderr.isEmpty, "\(lint)")
        for command in commands {
            let page = ([name] + command).joined(separator: "-")
            // The terms stand in bold type, which overstrikes each character.
            let shown = try await Executable("/bin/sh").run(
                "-c", #"mandoc -Tutf8 -O width=200 "$1" | sed 's/.\x08//g'"#, "sh",
                folder.appending(page + ".1").string,
                environment: ["LC_ALL": "C.UTF-8"])
            let help = try await program.run(command + ["--help"]).stdout
            let options = Set(help.matches(of: #/(?m)^ +(?:-[a-z], )?(--[a-z-]+)/#).map { String($0.output.1) })
            #expect(!options.isEmpty)
            for option in options { #expect(shown.stdout.contains(option), "\(page): \(option)") }
        }
    }
}
