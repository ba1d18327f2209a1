import Console
import PluginCore

/// A program with every kind of declaration, for tests of parsing and help.
let sample = Command(
    "hostapp", summary: "Install, run and explain plugins.", version: "1.2.0",
    options: [.flag("list-commands", help: "List all commands for a shell.")],
    globalOptions: [
        .flag("json", help: "Write the result as one JSON document."),
        .value(
            "sandbox", short: "s", placeholder: "path", default: "~/.atrium",
            help: "Where plugins and their data live."),
        .flag("verbose", short: "v", repeatable: true, help: "Say more about the work."),
    ],
    examples: [.init("hostapp --json list", "List what is installed, for a script.")],
    subcommands: [
        Command(
            "install", summary: "Install a plugin from the catalog.",
            discussion: """
                The newest version that this host can run is taken, unless a version is named. The version that was \
                current until now is kept for a rollback.

                  known -> staged -> verified -> installed
                """,
            arguments: [
                .required("identifier", help: "The plugin, such as com.example.shop."),
                .optional("version", help: "The version to take."),
            ],
            options: [
                .value("tap", short: "t", placeholder: "url", repeatable: true, help: "A catalog to ask as well."),
                .value("jobs", placeholder: "count", default: "2", help: "Downloads at a time."),
                .flag("force", short: "f", help: "Install again what is already installed."),
            ],
            examples: [
                .init("hostapp install com.example.shop", "Install the newest version."),
                .init("hostapp install com.example.shop 1.4.0"),
            ]),
        Command("list", summary: "List what is installed."),
        Command(
            "remove", summary: "Remove plugins.",
            arguments: [.repeated("identifier", atLeastOne: true, help: "What to remove.")]),
        Command(
            "route", summary: "Look into the routes.",
            subcommands: [
                Command(
                    "explain", summary: "Say why a URL goes where it goes.",
                    arguments: [.required("url", help: "The URL to follow.")],
                    options: [.value("version", placeholder: "version", help: "As if this version were current.")]),
                Command("list", summary: "List all routes."),
            ]),
        Command(
            "extension", summary: "Run an extension, or show what runs.",
            subcommands: [
                Command(
                    "run", summary: "Run one extension.",
                    arguments: [
                        .required("point", help: "The extension point."),
                        .repeated("item", help: "What the extension is given."),
                    ])
            ],
            requiresSubcommand: false),
    ])

/// The root of the repository.
let repository: FilePath = {
    var folder = FilePath(#filePath)
    while folder.lastComponent != "Packages", folder.string != "/" { folder = folder.parent }
    return folder.parent
}()

/// A terminal on which text is styled.
let colorful = Terminal(isTerminal: true, columns: 80) { $0 == "TERM" ? "xterm" : nil }

extension CommandLineParser {
    /// Parses a line whose words are separated by spaces.
    func parse(line: String) throws(UsageError) -> ParsedCommand {
        try parse(line.split(separator: " ").map(String.init))
    }
}
