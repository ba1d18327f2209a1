import Console
import PluginCore

typealias Example = Command.Example

/// A command of the host, made of its description and its implementation.
///
/// ```swift
/// let pingCommand = HostCommand("ping", summary: "Say whether it runs.") { _ in Answer(text: "yes\n", json: true) }
/// ```
struct HostCommand: Sendable {
    /// The work of a command; returns `nil` if it has already written its output.
    typealias Body = @MainActor @Sendable (HostCall) async throws -> Answer?

    /// The description that parsing, help and suggestions are derived from.
    let description: Command
    /// A Boolean value that indicates whether an argument may be empty; elsewhere an empty argument is taken for an unset variable.
    var takesEmptyArguments = false
    private let subcommands: [HostCommand]
    private let body: Body?

    /// Creates a command; one with subcommands and a body runs the body without a subcommand.
    init(
        _ name: String, summary: String, discussion: String = "", arguments: [Command.Argument] = [],
        options: [Command.Option] = [], examples: [Example] = [], subcommands: [HostCommand] = [],
        takesEmptyArguments: Bool = false, body: Body? = nil
    ) {
        description = Command(
            name, summary: summary, discussion: discussion, arguments: arguments, options: options, examples: examples,
            subcommands: subcommands.map(\.description), requiresSubcommand: body == nil)
        (self.subcommands, self.takesEmptyArguments, self.body) = (subcommands, takesEmptyArguments, body)
    }

    /// Creates a command with a description that other programs share.
    init(_ description: Command, body: @escaping Body) {
        (self.description, subcommands, self.body) = (description, [], body)
    }

    /// Runs the command or the subcommand that a call has parsed; returns `nil` if it has already written its output.
    @MainActor
    func run(_ call: HostCall) async throws -> Answer? {
        let command = subcommands.first { $0.description.name == call.parsed.path.last } ?? self
        return try await command.body?(call)
    }
}

/// The list of all commands, in the order of the help text.
enum HostCommands {
    static let all = [
        storeCommand, catalogCommand, appCommand, installCommand, openCommand, shellCommand, callCommand, todayCommand,
        shareCommand, documentsCommand, extensionCommand, outdatedCommand, updateCommand, rollbackCommand,
        uninstallCommand, unblockCommand, pinCommand, unpinCommand, autoremoveCommand, listCommand, infoCommand,
        whyCommand, historyCommand, routesCommand, routeCommand, graphCommand, trustCommand, verifyCommand,
        doctorCommand, crashesCommand, gcCommand, completionCommand,
    ]

    /// The root of the command line.
    static let root = Command(
        "hostapp", summary: "Runs an app made of plugins.",
        discussion: """
            Plugins are installed from a catalog into a sandbox, loaded when an address or a call first needs them, and \
            updated, rolled back and removed one by one.
            """,
        version: CoreVersion.release,
        globalOptions: [
            .value(
                "sandbox", placeholder: "DIR", kind: .folder,
                help: "The folder of plugins and their data; by default atrium/sandbox in the XDG data folder."),
            .value(
                "catalog", placeholder: "DIR|URL",
                kind: .folder,
                help: """
                    Where packages come from: a folder of packages, or the address of a published catalog; by default \
                    atrium/catalog in the XDG data folder, or the one that came with hostapp.
                    """
            ),
            .value(
                "catalog-ca", placeholder: "FILE", kind: .file,
                help: "Certificate authorities in PEM for the servers of catalogs, in place of the system's."),
            .value(
                "composition", placeholder: "FILE", kind: .file(ending: ".json"),
                help: "The app's bundle.json; by default the one that came with hostapp."),
            .value(
                "language", placeholder: "TAG",
                help: "The user's language, such as zh-Hans; by default that of the locale."),
            .flag(
                "development",
                help: "Use a sandbox for development, which \"bundletool run\" creates and no other host opens."),
            json,
            .flag("plain", help: "Print plain text, also on a terminal: no screens, for screen readers and scripts."),
            .flag("verbose", help: "Print the log messages of plugins on standard error."),
            .value(
                "trace", placeholder: "FILE", kind: .file,
                help: "Write the times of loads, routes, actions and other work to a file that Perfetto shows."),
        ],
        examples: [
            Example("hostapp", "on a terminal: walk through the app"),
            Example("hostapp catalog", "what can be installed"),
            Example("hostapp install com.example.app.shop", "install the newest version"),
            Example("hostapp open 'app://shop/item/42?from=demo'", "open a page of it"),
            Example("hostapp shell", "walk through the app page by page"),
        ],
        subcommands: all.map(\.description), exitStatuses: ExitStatus.all
    )

    /// The commands that also run inside a session, which are those that do not open pages.
    static let inShell = all.filter {
        !["open", "shell", "store", "call", "completion"].contains($0.description.name)
    }

    /// The command line inside a session, whose sandbox and language are already fixed.
    static let shellRoot = Command(
        "hostapp", summary: root.summary, globalOptions: [json], subcommands: inShell.map(\.description)
    )

    private static let json = Command.Option.flag(
        "json",
        help: """
            Print exactly one JSON document, for success and for failure. When there is none, the process has died: its \
            status is then a signal's, 128 and more in a shell, and a plugin's code may have crashed it.
            """
    )
}
