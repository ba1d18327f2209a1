import Foundation
import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("9. A crash", .tags(.large))
    struct CrashTests {
        /// A command of a transcript, and the lines that follow it there.
        private struct Entry {
            let command: String
            let output: String

            /// The entries of a transcript, whose commands begin with `$ `.
            static func all(in transcript: String) -> [Entry] {
                "\n\(transcript)".components(separatedBy: "\n$ ").dropFirst().map { entry in
                    let lines = entry.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
                    return Entry(
                        command: lines[0], output: lines.dropFirst().filter { !$0.isEmpty }.joined(separator: "\n"))
                }
            }

            /// Returns whether an output is the one of the transcript, in which `...` stands for any lines.
            func matches(_ actual: String) -> Bool {
                let parts = plain(output).components(separatedBy: "\n...\n")
                let actual = plain(actual)
                guard parts.count == 2 else { return actual == plain(output) }
                return actual.hasPrefix(parts[0] + "\n") && actual.hasSuffix("\n" + parts[1])
            }

            /// A text without the number of a line in Swift's own sources.
            private func plain(_ text: String) -> String { text.replacing(/\.swift:[0-9]+:/, with: ".swift:") }
        }

        /// Packs a version of the README's plugin, signed with a key in the folder.
        private func pack(_ version: String, _ source: String, in folder: ThrowawayFolder) async throws {
            let manifest = try #require(
                try DocumentPage("Documentation/WritingAPlugin.md").blocks(in: "The plugin").dropFirst().first)
            try folder.write(manifest.replacing("1.0.0", with: version), to: "Hello/manifest.json")
            let library = folder.appending("libHello.so").string
            try Data(try await compiled(source, as: "Hello")).write(to: URL(filePath: library))
            try await HostApp.find().bundletool.run(
                "pack", folder.appending("Hello").string, "--library", library, "--output",
                folder.appending("data/atrium/catalog").string, "--key", folder.appending("team.key").string, "--team",
                "org.example"
            ).succeeded()
        }

        @Test("The README's transcript is real: a new version crashes, and the one before is active again")
        func transcript() async throws {
            let readme = try DocumentPage("README.md")
            let transcript = Entry.all(in: try #require(try readme.blocks().first))
            #expect(transcript.map(\.command).contains { $0.hasPrefix("hostapp open") })
            let source = try #require(try readme.blocks(in: "A plugin in ten lines").first)
            let fault = source.replacing(#"[.text("Hello from a plugin.")]"#, with: #"[.text(["Hello"][1])]"#)
            try #require(fault != source)

            let folder = try ThrowawayFolder()
            let host = try HostApp.find()
            try #require(
                try await host.bundletool.run("keygen", "--output", folder.appending("team").string, "--no-password")
                    .status == 0)
            try await pack("1.0.0", source, in: folder)
            try await pack("1.1.0", fault, in: folder)
            let shell = Executable(
                "/bin/sh", leading: ["-c"],
                environment: [
                    "XDG_DATA_HOME": folder.appending("data").string, "LC_ALL": "C.UTF-8",
                    "SWIFT_BACKTRACE": "enable=no",
                    "PATH": "\(host.build.appending("bin")):/usr/bin:/bin",
                ])
            try await shell.run(
                "hostapp trust add org.example --key '\(folder.appending("team.pub"))' --prefix org.example"
            ).succeeded()

            for entry in transcript {
                let result = try await shell.run("{ \(entry.command)\n} 2>&1; echo $?")
                var lines = result.stdout.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(
                    String.init)
                let status = lines.popLast()
                // A person's shell says how a process died.
                if status == "132" { lines.append("Illegal instruction") } else { #expect(status == "0", "\(result)") }
                #expect(entry.matches(lines.joined(separator: "\n")), "\(entry.command): \(result)")
            }
        }
    }
}
