import Console
import PluginCore

/// A command of the host, made of its description, whose texts are in `en.json`, and its implementation.
///
/// ```swift
/// let pingCommand = HostCommand("ping") { _ in Answer(text: "yes\n", json: true) }
/// ```
struct HostCommand {
    /// The work of a command; returns `nil` if it has already written its output.
    typealias Body = @MainActor @Sendable (HostCall) async throws -> Answer?

    /// The description that parsing, help and suggestions are derived from.
    let description: Command
    /// The word that a user types.
    var name: String { description.name }
    /// A Boolean value that indicates whether an argument may be empty; elsewhere an empty argument is taken for an unset variable.
    var takesEmptyArguments = false
    private let subcommands: [HostCommand]
    private let body: Body?

    /// Creates a command; one with subcommands and a body runs the body without a subcommand.
    init(
        _ name: String, arguments: [Command.Argument] = [], options: [Command.Option] = [],
        subcommands: [HostCommand] = [], takesEmptyArguments: Bool = false, body: Body? = nil
    ) {
        description = Command(
            name, arguments: arguments, options: options, subcommands: subcommands.map(\.description),
            requiresSubcommand: body == nil)
        (self.subcommands, self.takesEmptyArguments, self.body) = (subcommands, takesEmptyArguments, body)
    }

    /// Creates a command with a description that other programs share.
    init(_ description: Command, body: @escaping Body) {
        (self.description, subcommands, self.body) = (description, [], body)
    }

    /// Runs the command or the subcommand that a call has parsed; returns `nil` if it has already written its output.
    @MainActor
    func run(_ call: HostCall) async throws -> Answer? {
        let command = subcommands.first { $0.name == call.parsed.path.last } ?? self
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
        "hostapp", version: CoreVersion.release,
        globalOptions: [
            .value("sandbox", placeholder: "DIR", kind: .folder),
            .value("catalog", placeholder: "DIR|URL", kind: .folder),
            .value("catalog-ca", placeholder: "FILE", kind: .file),
            .value("composition", placeholder: "FILE", kind: .file(ending: ".json")),
            .value("language", placeholder: "TAG"),
            .flag("development"),
            .flag("json"),
            .flag("plain"),
            .flag("verbose"),
            .value("trace", placeholder: "FILE", kind: .file),
        ], subcommands: all.map(\.description), exitStatuses: ExitStatus.all)

    /// The commands that also run inside a session, which are those that do not open pages.
    static let inShell = all.filter {
        !["open", "shell", "store", "call", "completion"].contains($0.name)
    }

    /// The command line inside a session, whose sandbox and language are already fixed.
    static let shellRoot = Command("hostapp", globalOptions: [.flag("json")], subcommands: inShell.map(\.description))
}
