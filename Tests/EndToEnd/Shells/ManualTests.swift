import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("Manual pages", .tags(.large), .timeLimit(.minutes(5)))
struct ManualTests {
    @Test("No manual page has an error", arguments: ["hostapp", "bundletool"])
    func pages(name: String) async throws {
        let program = try HostApp.find().build.appending("bin/\(name)").string
        let script = Executable(FilePath(#filePath).parent.parent.parent.parent.appending("Scripts/lib/manual"))
        let folder = try ThrowawayFolder()
        let commands = try await script.run(program).lines
        #expect(commands.count > 20)
        var files: [String] = []
        for command in commands {
            let words = command.split(separator: " ").map(String.init)
            let page = try await script.run([program, "2026-01-31"] + words)
            let title = ([name] + words).joined(separator: "-").uppercased().replacing("-", with: #"\-"#)
            #expect(page.stdout.hasPrefix(".TH \"\(title)\" 1 \"2026-01-31\" \"\(name) "), "\(page)")
            #expect(page.stdout.hasSuffix(" (1)\n") && page.stderr.isEmpty, "\(page)")
            files.append(try folder.write(page.stdout, to: "\(files.count).1").string)
        }
        let lint = try await Executable("/usr/bin/mandoc").run(["-Tlint"] + files)
        #expect(lint.status == 0 && lint.stdout.isEmpty && lint.stderr.isEmpty, "\(lint)")
    }
}
