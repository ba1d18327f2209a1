import Console
import Testing

@Suite("Help texts", .tags(.small))
struct HelpTests {
    @Test("The root's help describes the program and lists its commands")
    func root() {
        #expect(
            HelpRenderer(sample).text() == """
                Usage: hostapp <command> [options]

                Install, run and explain plugins.

                Options:
                      --list-commands  List all commands for a shell.

                Global options:
                      --json            Write the result as one JSON document.
                  -s, --sandbox <path>  Where plugins and their data live. Default: ~/.atrium
                  -v, --verbose         Say more about the work. May be repeated.
                  -h, --help            Show this help.
                      --version         Show the version.

                Commands:
                  install    Install a plugin from the catalog.
                  list       List what is installed.
                  remove     Remove plugins.
                  route      Look into the routes.
                  extension  Run an extension, or show what runs.

                Examples:
                  List what is installed, for a script.
                    hostapp --json list

                "hostapp help <command>" shows more about a command.

                """)
    }

    @Test("The help of a command describes its arguments and options")
    func command() {
        #expect(
            HelpRenderer(sample).text(for: ["install"]) == """
                Usage: hostapp install <identifier> [<version>] [options]

                Install a plugin from the catalog.

                The newest version that this host can run is taken, unless a version is named.
                The version that was current until now is kept for a rollback.

                  known -> staged -> verified -> installed

                Arguments:
                  <identifier>  The plugin, such as com.example.shop.
                  [<version>]   The version to take. Optional.

                Options:
                  -t, --tap <url>     A catalog to ask as well. May be repeated.
                      --jobs <count>  Downloads at a time. Default: 2
                  -f, --force         Install again what is already installed.

                Global options:
                      --json            Write the result as one JSON document.
                  -s, --sandbox <path>  Where plugins and their data live. Default: ~/.atrium
                  -v, --verbose         Say more about the work. May be repeated.
                  -h, --help            Show this help.

                Examples:
                  Install the newest version.
                    hostapp install com.example.shop
                    hostapp install com.example.shop 1.4.0

                """)
    }

    @Test("The help of a group ends with a command line that can be typed", arguments: [[], ["route"], ["extension"]])
    func pointer(path: [String]) throws {
        let line = (["help"] + path).joined(separator: " ")
        let text = try #require(HelpRenderer(sample).text(for: path))
        #expect(text.hasSuffix("\n\n\"hostapp \(line) <command>\" shows more about a command.\n"))
        #expect(try CommandLineParser(sample).parse(line: line).path == path)
    }

    @Test("The usage line covers every kind of argument and option")
    func usages() throws {
        for (path, usage) in [
            ([], "<command>"), (["remove"], "remove <identifier>..."), (["extension"], "extension [<command>]"),
            (["extension", "run"], "extension run <point> [<item>...]"),
        ] {
            let text = try #require(HelpRenderer(sample).text(for: path))
            #expect(text.hasPrefix("Usage: hostapp \(usage) [options]\n"), "\(text)")
        }
        #expect(HelpRenderer(sample).text(for: ["extension", "walk"]) == nil)
        #expect(HelpRenderer(sample).text(for: ["bogus"]) == nil)
    }
}
