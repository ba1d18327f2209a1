extension Command {
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
        public let isRepeatable: Bool
        /// The value of an omitted option, which the help text shows.
        public let defaultValue: String?
        /// The rule that says whether the option may be omitted.
        public let presence: Presence
        /// The kind of the value.
        public let kind: ValueKind
        /// A sentence for the help text.
        public let help: String

        /// Declares a flag, which takes no value.
        public static func flag(
            _ name: String, short: Character? = nil, repeatable: Bool = false, help: String
        ) -> Option {
            Option(
                name: name, short: short, placeholder: nil, isRepeatable: repeatable, defaultValue: nil,
                presence: .optional, kind: .text, help: help)
        }

        /// Declares an option with a value.
        ///
        /// The accepted forms are `--name value`, `--name=value`, `-n value` and `-nvalue`. A value that starts with a dash and
        /// isn't a number requires the form with `=`.
        public static func value(
            _ name: String, short: Character? = nil, placeholder: String, repeatable: Bool = false,
            default defaultValue: String? = nil, presence: Presence = .optional, kind: ValueKind = .text, help: String
        ) -> Option {
            Option(
                name: name, short: short, placeholder: placeholder, isRepeatable: repeatable,
                defaultValue: defaultValue, presence: presence, kind: kind, help: help)
        }

        static let help = flag("help", short: "h", help: "Show this help.")
        static let version = flag("version", help: "Show the version.")

        var isFlag: Bool { placeholder == nil }

        /// The option as the usage line shows it, such as `--sandbox <path>`.
        var usage: String { placeholder.map { "--\(name) <\($0)>" } ?? "--\(name)" }
    }
}
