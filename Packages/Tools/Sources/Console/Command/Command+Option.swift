extension Command {
    /// Something that is given by name: a flag, or an option with a value.
    public struct Option: Sendable, Equatable {
        /// Whether a line may do without an option. Only those are held to it that a command takes itself, not its global ones.
        public enum Presence: Sendable, Equatable {
            /// It may be left out.
            case optional
            /// It must be there, with a value that is not blank.
            case required
            /// Exactly one must be there of those that name the same group.
            case oneOf(String)
        }

        /// The long name without dashes, and the key for ``ParsedCommand``'s accessors.
        public let name: String
        /// The letter of the short form.
        public let short: Character?
        /// What stands for the value in help, without brackets; nil for a flag.
        public let placeholder: String?
        /// A Boolean value that indicates whether it may be given more than once.
        public let isRepeatable: Bool
        /// The value when it is not given; shown in help.
        public let defaultValue: String?
        /// A Boolean value that indicates whether a line may do without it.
        public let presence: Presence
        /// A sentence for the help.
        public let help: String

        /// An option that is there or not, and takes no value.
        public static func flag(
            _ name: String, short: Character? = nil, repeatable: Bool = false, help: String
        ) -> Option {
            Option(
                name: name, short: short, placeholder: nil, isRepeatable: repeatable, defaultValue: nil,
                presence: .optional, help: help)
        }

        /// An option with a value: `--name value`, `--name=value`, `-n value`, `-nvalue`.
        ///
        /// A value that itself starts with a dash, other than a number, needs the form with `=`.
        public static func value(
            _ name: String, short: Character? = nil, placeholder: String, repeatable: Bool = false,
            default defaultValue: String? = nil, presence: Presence = .optional, help: String
        ) -> Option {
            Option(
                name: name, short: short, placeholder: placeholder, isRepeatable: repeatable,
                defaultValue: defaultValue, presence: presence, help: help)
        }

        static let help = flag("help", short: "h", help: "Show this help.")
        static let version = flag("version", help: "Show the version.")

        var isFlag: Bool { placeholder == nil }

        /// The option as it is typed, with its placeholder: `--sandbox <path>`.
        var usage: String { placeholder.map { "--\(name) <\($0)>" } ?? "--\(name)" }
    }
}
