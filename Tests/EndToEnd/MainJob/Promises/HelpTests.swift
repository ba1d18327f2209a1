import PluginTestKit
import Testing

extension MainJob {
    @Suite("Help texts", .tags(.large))
    struct HelpTests {
        private static let everywhere = [
            "--sandbox <DIR>", "--catalog <DIR|URL>", "--development", "--json", "--language <TAG>", "--trace <FILE>",
            "--help",
        ]

        @Test("The help of the program lists commands that have each a help text, in whatever form it is requested")
        func root() async throws {
            let hostapp = try HostApp.find().hostapp
            let result = try await hostapp.run("--help")
            #expect(result.status == 0 && result.stderr == "")
            for word in Self.everywhere + ["--version"] { #expect(result.stdout.contains(word)) }
            for other in [["-h"], ["help"]] { #expect(try await hostapp.run(other).stdout == result.stdout) }

            let names = result.lines.compactMap { $0.firstMatch(of: #/^ {2}([a-z]+) {2}/#).map { String($0.output.1) } }
            #expect(Set(names).isSuperset(of: ["install", "open", "update", "trust", "doctor"]), "\(result)")
            for name in names {
                let own = try await hostapp.run(name, "--help")
                #expect(own.status == 0 && own.stdout.hasPrefix("Usage: hostapp \(name)"), "\(own)")
                for other in [[name, "-h"], ["help", name], ["--help", name]] {
                    #expect(try await hostapp.run(other).stdout == own.stdout, "\(other)")
                }
            }
        }

        @Test("The option --version prints the version of each program")
        func version() async throws {
            let host = try HostApp.find()
            let told = try await host.hostapp.run("--version")
            #expect(told.status == 0 && told.stdout.hasPrefix("hostapp ") && told.stdout.contains("Core ABI 2"))
            #expect(try await host.bundletool.run("--version").stdout.hasPrefix("bundletool "))
        }
    }
}
