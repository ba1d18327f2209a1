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
        try await script.run(program, "2026-01-31", folder.path.string).succeeded()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path.string)
        #expect(names.count > 20)
        for file in names {
            let page = try String(contentsOfFile: folder.path.appending(file).string, encoding: .utf8)
            let title = file.dropLast(2).uppercased().replacing("-", with: #"\-"#)
            #expect(page.hasPrefix(".TH \"\(title)\" 1 \"2026-01-31\" \"\(name) "), "\(page)")
            #expect(page.hasSuffix(" (1)\n"), "\(page)")
        }
        let files = names.map { folder.path.appending($0).string }
        let lint = try await Executable("/usr/bin/mandoc").run(["-Tlint"] + files)
        #expect(lint.status == 0 && lint.stdout.isEmpty && lint.stderr.isEmpty, "\(lint)")
    }
}
