/// The declaration of one command, from which parsing, help and suggestions are derived.
///
/// The root command is the program itself. A command with subcommands is a group and takes no arguments.
///
/// ```swift
/// let hello = Command(
///     "hello", summary: "Greet people.", version: "1.0",
///     arguments: [.repeated("name", atLeastOne: true, help: "Who to greet.")],
///     options: [.flag("loud", short: "l", help: "Greet in capitals.")])
/// let parsed = try CommandLineParser(hello).parse(["Ada", "--loud"])
/// ```
public struct Command: Sendable {
    /// The word that the user types; for the root, the program's name.
    public let name: String
    /// One sentence that is shown beside the name in the parent's help text.
    public let summary: String
    /// The paragraphs of the command's own help text; lines that start with a space are not wrapped.
    public let discussion: String
    /// The answer of the root to `--version`; if it is `nil`, and below the root, there is no such option.
    public let version: String?
    /// The positional arguments in order.
    public let arguments: [Argument]
    /// The options that may follow this command's name and precede a subcommand's name.
    public let options: [Option]
    /// The options that this command and all its subcommands take; the root's may stand anywhere.
    public let globalOptions: [Option]
    /// The examples at the end of the help text.
    public let examples: [Example]
    /// The subcommands.
    public let subcommands: [Command]
    /// A Boolean value that indicates whether a group without a subcommand is a usage error; otherwise the group itself runs.
    public let requiresSubcommand: Bool
    /// The exit statuses that the root's help text describes.
    public let exitStatuses: [ExitStatus]

    /// Declares a command.
    ///
    /// ``problems`` lists the contradictions in a declaration.
    public init(
        _ name: String,
        summary: String,
        discussion: String = "",
        version: String? = nil,
        arguments: [Argument] = [],
        options: [Option] = [],
        globalOptions: [Option] = [],
        examples: [Example] = [],
        subcommands: [Command] = [],
        requiresSubcommand: Bool = true,
        exitStatuses: [ExitStatus] = []
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.version = version
        self.arguments = arguments
        self.options = options
        self.globalOptions = globalOptions
        self.examples = examples
        self.subcommands = subcommands
        self.requiresSubcommand = requiresSubcommand
        self.exitStatuses = exitStatuses
    }

    /// A command line with a sentence that describes it.
    public struct Example: Sendable, Equatable {
        /// The whole line, with the program's name.
        public let line: String
        /// The description, which may be empty.
        public let caption: String

        /// Declares an example; the caption is printed above the line.
        public init(_ line: String, _ caption: String = "") {
            self.line = line
            self.caption = caption
        }
    }
}
