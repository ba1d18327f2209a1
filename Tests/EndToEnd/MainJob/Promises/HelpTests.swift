import PluginTestKit
import Testing

extension MainJob {
    @Suite("Help texts", .tags(.large))
    struct HelpTests {
        /// The commands with the words that their help must contain.
        private static let all: [(name: String, words: [String])] = [
            ("install", ["<ID[@VERSION]|PACKAGE>...", "--stage"]),
            ("open", ["[<URL>]", "-t, --tap <ACTION>", "--no-install"]),
            ("shell", ["[<URL>]", "--no-install", "--follow"]),
            ("update", ["[<ID>...]", "--stage"]),
            ("outdated", ["[<ID>...]", "--check"]), ("rollback", ["<ID>..."]),
            ("uninstall", ["<ID>...", "--delete-data", "--cascade"]), ("unblock", ["<ID[@VERSION]>"]),
            ("pin", ["<ID[@RANGE]>"]),
            ("unpin", ["<ID>"]), ("autoremove", []),
            ("list", []), ("info", ["<ID|PACKAGE>"]),
            ("why", ["<ID>"]), ("history", ["[<ID>]"]), ("call", ["<TARGET>", "[<WORD>...]", "--no-install"]),
            ("routes", ["--diff <FILE>", "--dot"]), ("verify", ["[<ID>...]"]), ("doctor", ["--rebuild"]), ("gc", []),
        ]
        /// The commands with subcommands, one of which also runs without any.
        private static let families: [(name: String, commands: [String])] = [
            ("route", ["explain"]),
            ("trust", ["list", "add", "rotate", "revoke"]),
            ("app", ["install", "lock", "update", "status"]), ("crashes", ["list", "show", "clear"]),
            ("catalog", ["list", "sources", "add", "remove", "trust", "refresh"]),
        ]
        private static let everywhere = [
            "--sandbox <DIR>", "--catalog <DIR|URL>", "--development", "--json", "--language <TAG>", "--trace <FILE>",
            "--help",
        ]

        @Test("Every command has a help text, in whatever form it is requested", arguments: Self.all)
        func everyCommand(name: String, words: [String]) async throws {
            let hostapp = try HostApp.find().hostapp
            let result = try await hostapp.run(name, "--help")
            #expect(result.status == 0 && result.stderr == "", "\(result)")
            let usage = (["Usage: hostapp", name] + words.filter { !$0.contains("--") } + ["[options]"])
            #expect(result.lines.first == usage.joined(separator: " "))
            for word in words + Self.everywhere {
                #expect(result.stdout.contains(word), "\(word) is missing: \(result)")
            }
            // Each argument must have an explanation on its own line.
            for word in words.filter({ !$0.contains("--") }) {
                #expect(result.lines.contains { $0.hasPrefix("  \(word)  ") }, "\(word) is not explained: \(result)")
            }
            for other in [[name, "-h"], ["help", name], ["--help", name]] {
                #expect(try await hostapp.run(other).stdout == result.stdout, "\(other)")
            }
        }

        @Test(
            "The help of a command group lists its subcommands, each of which has its own help",
            arguments: Self.families)
        func family(name: String, commands: [String]) async throws {
            let hostapp = try HostApp.find().hostapp
            let result = try await hostapp.run(name, "--help")
            #expect(result.status == 0 && result.stderr == "", "\(result)")
            let command = ["catalog", "crashes"].contains(name) ? "[<command>]" : "<command>"
            #expect(result.lines.first == "Usage: hostapp \(name) \(command) [options]")
            for command in commands {
                #expect(result.lines.contains { $0.hasPrefix("  \(command)  ") }, "\(command)")
                let own = try await hostapp.run(name, command, "--help")
                #expect(own.status == 0 && own.stdout.hasPrefix("Usage: hostapp \(name) \(command) "), "\(own)")
                #expect(try await hostapp.run("help", name, command).stdout == own.stdout)
            }
        }

        @Test("The help of the program lists every command")
        func root() async throws {
            let hostapp = try HostApp.find().hostapp
            let result = try await hostapp.run("--help")
            #expect(result.status == 0 && result.stderr == "")
            for name in Self.all.map(\.name) + Self.families.map(\.name) {
                #expect(result.lines.contains { $0.hasPrefix("  \(name)  ") }, "\(name)")
            }
            for word in Self.everywhere + ["--version"] { #expect(result.stdout.contains(word)) }
            for other in [["-h"], ["help"]] { #expect(try await hostapp.run(other).stdout == result.stdout) }
            // Without a command, the help is written to standard error and the status is 64.
            let bare = try await hostapp.run()
            #expect(bare.status == 64 && bare.stdout == "" && bare.stderr == result.stdout)
        }

        @Test(
            "Every command of bundletool has a help text",
            arguments: [
                ([], ["pack", "inspect", "keygen", "sign", "verify", "archive", "--json"]),
                (
                    ["pack"],
                    [
                        "<plugin-dir>", "--library <file>", "--manifest <file>", "--resources <dir>", "--output <dir>",
                        "--dependency <package.zip>", "--key <file>", "--team <id>", "--signed-at <time>",
                    ]
                ),
                (
                    ["validate"],
                    [
                        "[<bundle>]", "--only <check>", "--list", "--dependency <package.zip>", "--address <url>",
                        "--seed <number>", "--opens <number>", "--deadline <seconds>", "--timeout <seconds>",
                        "--in-process",
                    ]
                ),
                (["keygen"], ["--output <name>", "--password-file <file>", "--no-password"]),
                (["sign"], ["<package.zip>", "--key <file>", "--team <id>", "--output <file>"]),
                (["verify"], ["<bundle>", "--key <file>", "--trust <file>"]),
                (["inspect"], ["<package.zip>", "--dependency <package.zip>", "--json"]),
                (["lint"], ["[<plugin>]", "--against <dir>", "--allow <code>", "--strict", "--library <file>"]),
                (["archive"], ["test", "list", "extract"]),
                (["archive", "test"], ["<file>...", "--max-entries <n>", "--max-size <bytes>", "--max-ratio <n>"]),
                (["archive", "list"], ["<file>"]), (["archive", "extract"], ["<file>", "--to <dir>"]),
            ] as [([String], [String])])
        func bundletool(command: [String], words: [String]) async throws {
            let result = try await HostApp.find().bundletool.run(command + ["--help"])
            #expect(result.status == 0 && result.stderr == "", "\(result)")
            for word in words { #expect(result.stdout.contains(word), "\(word) is missing: \(result)") }
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
