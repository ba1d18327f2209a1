extension Command {
    /// A word that a command takes by its position.
    public struct Argument: Sendable, Equatable {
        /// The number of words that an argument takes.
        public enum Arity: Sendable {
            /// Exactly one word.
            case required
            /// One word or none.
            case optional
            /// All remaining words, possibly none.
            case anyNumber
            /// All remaining words, at least one.
            case oneOrMore
        }

        /// The name in the help text, and the key of the argument in a parsed command.
        public let name: String
        /// The number of words that it takes.
        public let arity: Arity
        /// The kind of each word.
        public let kind: ValueKind
        /// A sentence for the help text.
        public let help: String

        /// Declares a required argument.
        public static func required(_ name: String, kind: ValueKind = .text, help: String) -> Argument {
            Argument(name: name, arity: .required, kind: kind, help: help)
        }

        /// Declares an optional argument, which must follow all required ones.
        public static func optional(_ name: String, kind: ValueKind = .text, help: String) -> Argument {
            Argument(name: name, arity: .optional, kind: kind, help: help)
        }

        /// Declares an argument that takes all remaining words, which must be the last one.
        public static func repeated(
            _ name: String, atLeastOne: Bool = false, kind: ValueKind = .text, help: String
        ) -> Argument {
            Argument(name: name, arity: atLeastOne ? .oneOrMore : .anyNumber, kind: kind, help: help)
        }

        var isRequired: Bool { arity == .required || arity == .oneOrMore }
        var isRepeated: Bool { arity == .anyNumber || arity == .oneOrMore }

        /// The argument as the usage line shows it.
        ///
        /// For example `<id>`, `[<id>]`, `<file>...` or `[<file>...]`.
        var usage: String {
            let word = isRepeated ? "<\(name)>..." : "<\(name)>"
            return isRequired ? word : "[\(word)]"
        }
    }
}
