import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("Manual pages", .tags(.large), .timeLimit(.minutes(5)))
struct ManualTests {
    @Test("No manual page has an error", arguments: ["hostapp", "bundletool"])
    func pages(name: String) async throws {
        let program = Executable(try HostApp.find().build.appending("bin/\(name)"))
        let folder = try ThrowawayFolder()
        let names = try await program.run("__manual").lines
        #expect(names.count > 20)
        var files: [String] = []
        for page in names {
            let source = try await program.run("__manual", page, "2026-01-31").stdout
            files.append(try folder.write(source, to: page + ".1").string)
        }
        let lint = try await Executable("/usr/bin/mandoc").run(["-Tlint"] + files)
        #expect(lint.status == 0 && lint.stdout.isEmpty && lint.stderr.isEmpty, "\(lint)")
    }
}
