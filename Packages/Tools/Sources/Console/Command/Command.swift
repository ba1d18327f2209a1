/// One command as its author declares it, once: parsing, help and suggestions are all read from this value.
///
/// The root command is the program itself. A command with subcommands is a group, and takes no arguments of its own.
///
/// ```swift
/// let hello = Command(
///     "hello", summary: "Greet people.", version: "1.0",
///     arguments: [.repeated("name", atLeastOne: true, help: "Who to greet.")],
///     options: [.flag("loud", short: "l", help: "Greet in capitals.")])
/// let parsed = try CommandLineParser(hello).parse(["Ada", "--loud"])
/// ```
public struct Command: Sendable {
    /// The word that is typed; for the root, the program's name.
    public let name: String
    /// One sentence, shown beside the name in the parent's help.
    public let summary: String
    /// Paragraphs for the command's own help; lines that start with a space are kept as they are.
    public let discussion: String
    /// What the root answers to `--version`; without it, and below the root, `--version` is not built in.
    public let version: String?
    /// The words the command takes, in order.
    public let arguments: [Argument]
    /// The options that may stand after this command's name, and before a subcommand's.
    public let options: [Option]
    /// The options that this command and all commands below it take; the root's may stand anywhere.
    public let globalOptions: [Option]
    /// Command lines worth copying, shown at the end of the help.
    public let examples: [Example]
    /// The commands below this one.
    public let subcommands: [Command]
    /// A Boolean value that indicates whether a group typed without a subcommand is a usage error, or runs itself.
    public let requiresSubcommand: Bool
    /// What the program ends with, for the root's help; what each means is said by ``ExitStatus/meaning``.
    public let exitStatuses: [ExitStatus]

    /// Declares a command; ``problems`` tells what contradicts itself in a declaration.
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

    /// A command line with the sentence that says what it does.
    public struct Example: Sendable, Equatable {
        /// The whole line as it is typed, program name included.
        public let line: String
        /// What the line achieves; may be empty.
        public let caption: String

        /// Declares an example; the caption is printed above the line.
        public init(_ line: String, _ caption: String = "") {
            self.line = line
            self.caption = caption
        }
    }
}
