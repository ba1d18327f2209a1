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
    public internal(set) var summary: String
    /// The paragraphs of the command's own help text; lines that start with a space are not wrapped.
    public internal(set) var discussion: String
    /// The answer of the root to `--version`; if it is `nil`, and below the root, there is no such option.
    public let version: String?
    /// The positional arguments in order.
    public internal(set) var arguments: [Argument]
    /// The options that may follow this command's name and precede a subcommand's name.
    public internal(set) var options: [Option]
    /// The options that this command and all its subcommands take; the root's may stand anywhere.
    public internal(set) var globalOptions: [Option]
    /// The examples at the end of the help text.
    public internal(set) var examples: [Example]
    /// The subcommands.
    public internal(set) var subcommands: [Command]
    /// A Boolean value that indicates whether a group without a subcommand is a usage error; otherwise the group itself runs.
    public let requiresSubcommand: Bool
    /// The exit statuses that the root's help text describes.
    public let exitStatuses: [ExitStatus]

    /// Declares a command.
    ///
    /// ``problems`` lists the contradictions in a declaration, and ``described`` adds the texts of a program that it lacks.
    public init(
        _ name: String,
        summary: String = "",
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

extension Command {
    /// A word that a command takes by its position.
    public struct Argument: Sendable, Equatable {
        /// The name in the help text, and the key of the argument in a parsed command.
        public let name: String
        /// A Boolean value that indicates whether it takes at least one word.
        public let isRequired: Bool
        /// A Boolean value that indicates whether it takes all remaining words, and otherwise at most one.
        public let isRepeated: Bool
        /// The kind of each word.
        public let kind: ValueKind
        /// A sentence for the help text.
        public internal(set) var help: String

        /// Declares a required argument.
        public static func required(_ name: String, kind: ValueKind = .text, help: String = "") -> Argument {
            Self(name: name, isRequired: true, isRepeated: false, kind: kind, help: help)
        }

        /// Declares an optional argument, which must follow all required ones.
        public static func optional(_ name: String, kind: ValueKind = .text, help: String = "") -> Argument {
            Self(name: name, isRequired: false, isRepeated: false, kind: kind, help: help)
        }

        /// Declares an argument that takes all remaining words, which must be the last one.
        public static func repeated(
            _ name: String, atLeastOne: Bool = false, kind: ValueKind = .text, help: String = ""
        ) -> Argument {
            Self(name: name, isRequired: atLeastOne, isRepeated: true, kind: kind, help: help)
        }

        /// The argument as the usage line shows it.
        ///
        /// For example `<id>`, `[<id>]`, `<file>...` or `[<file>...]`.
        var usage: String {
            let word = isRepeated ? "<\(name)>..." : "<\(name)>"
            return isRequired ? word : "[\(word)]"
        }
    }

    /// An argument given by name, which is a flag or an option with a value.
    public struct Option: Sendable, Equatable {
        /// The rule that says whether an option may be omitted; it does not apply to global options of parent commands.
        public enum Presence: Sendable, Equatable {
            /// The option may be omitted.
            case optional
            /// The option is required with a value that is not blank.
            case required
            /// Exactly one of the options with the same group is required.
            case oneOf(String)
        }

        /// The long name without dashes, and the key of the option in a parsed command.
        public let name: String
        /// The letter of the short form.
        public let short: Character?
        /// The name of the value in the help text without brackets; `nil` for a flag.
        public let placeholder: String?
        /// A Boolean value that indicates whether the option may be repeated.
        let isRepeatable: Bool
        /// The value of an omitted option, which the help text shows.
        public let defaultValue: String?
        /// The rule that says whether the option may be omitted.
        public let presence: Presence
        /// The kind of the value.
        public let kind: ValueKind
        /// A sentence for the help text.
        public internal(set) var help: String

        /// Declares a flag, which takes no value.
        public static func flag(
            _ name: String, short: Character? = nil, repeatable: Bool = false, help: String = ""
        ) -> Option {
            Option(
                name: name, short: short, placeholder: nil, isRepeatable: repeatable, defaultValue: nil,
                presence: .optional, kind: .text, help: help)
        }

        /// Declares an option with a value, whose placeholder is by default that of the value's kind.
        ///
        /// The accepted forms are `--name value`, `--name=value`, `-n value` and `-nvalue`. A value that starts with a dash and
        /// isn't a number requires the form with `=`.
        public static func value(
            _ name: String, short: Character? = nil, placeholder: String? = nil, repeatable: Bool = false,
            default defaultValue: String? = nil, presence: Presence = .optional, kind: ValueKind = .text,
            help: String = ""
        ) -> Option {
            Option(
                name: name, short: short, placeholder: placeholder ?? kind.word, isRepeatable: repeatable,
                defaultValue: defaultValue, presence: presence, kind: kind, help: help)
        }

        static let help = flag("help", short: "h", help: "Show this help.")
        static let version = flag("version", help: "Show the version.")

        var isFlag: Bool { placeholder == nil }

        /// The option as the usage line shows it, such as `--sandbox <path>`.
        var usage: String { placeholder.map { "--\(name) <\($0)>" } ?? "--\(name)" }
    }

    /// The kind of the value of an argument or option, by which shells complete it.
    public indirect enum ValueKind: Sendable, Equatable {
        /// Text that cannot be completed.
        case text
        /// The path of a file, whose name ends with the given text.
        case file(ending: String)
        /// The path of a folder.
        case folder
        /// One of a few words.
        case words([String])
        /// Something that only the program can list, such as an installed plugin.
        case item(Item)
        /// A value of any of several kinds.
        case either([ValueKind])

        /// The path of any file.
        public static let file = file(ending: "")

        /// The word that stands for a value in the help text.
        fileprivate var word: String {
            switch self {
            case .file: "file"
            case .folder: "dir"
            default: "value"
            }
        }

        /// A Boolean value that indicates whether a value can be a path.
        var isPath: Bool {
            switch self {
            case .file, .folder: true
            case .either(let kinds): kinds.contains(where: \.isPath)
            case .text, .words, .item: false
            }
        }
    }

    /// A kind of items that only the program can list; each program declares its own.
    public struct Item: Sendable, Hashable {
        /// The name of the kind.
        public let name: String

        /// Creates a kind of items.
        public init(_ name: String) { self.name = name }
    }
}
