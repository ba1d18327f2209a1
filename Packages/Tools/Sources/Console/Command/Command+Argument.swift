extension Command {
    /// A word that a command takes by its position.
    public struct Argument: Sendable, Equatable {
        /// How many words an argument takes.
        public enum Arity: Sendable {
            /// Exactly one word.
            case required
            /// One word or none.
            case optional
            /// All words that are left, if any.
            case anyNumber
            /// All words that are left, and there must be one.
            case oneOrMore
        }

        /// The name in help, and the key for ``ParsedCommand/argument(_:)``.
        public let name: String
        /// How many words it takes.
        public let arity: Arity
        /// A sentence for the help.
        public let help: String

        /// A word that must be there.
        public static func required(_ name: String, help: String) -> Argument {
            Argument(name: name, arity: .required, help: help)
        }

        /// A word that may be left out; stands after all required ones.
        public static func optional(_ name: String, help: String) -> Argument {
            Argument(name: name, arity: .optional, help: help)
        }

        /// All words that are left; must be the last argument.
        public static func repeated(_ name: String, atLeastOne: Bool = false, help: String) -> Argument {
            Argument(name: name, arity: atLeastOne ? .oneOrMore : .anyNumber, help: help)
        }

        var isRequired: Bool { arity == .required || arity == .oneOrMore }
        var isRepeated: Bool { arity == .anyNumber || arity == .oneOrMore }

        /// As the usage line writes it: `<id>`, `[<id>]`, `<file>...`, `[<file>...]`.
        var usage: String {
            let word = isRepeated ? "<\(name)>..." : "<\(name)>"
            return isRequired ? word : "[\(word)]"
        }
    }
}
