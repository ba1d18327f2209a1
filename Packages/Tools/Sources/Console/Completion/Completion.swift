/// The ways in which an incomplete command line can continue.
public struct Completion: Sendable, Equatable {
    /// A word that can stand at the end of the line.
    public struct Candidate: Sendable, Equatable {
        /// The whole word.
        public let text: String
        /// A sentence about the word, which may be empty.
        public let help: String
        /// A Boolean value that indicates whether the word is only the beginning of what the user types.
        public let isPart: Bool

        /// Creates a candidate.
        public init(_ text: String, help: String = "", isPart: Bool = false) {
            self.text = text
            self.help = help
            self.isPart = isPart
        }
    }

    /// The kind of paths that the shell itself completes.
    public enum Paths: Sendable, Equatable {
        /// Files whose names end with a text, and folders on the way to them.
        case files(ending: String)
        /// Folders.
        case folders
    }

    /// The words, all of which begin with the typed one.
    public internal(set) var candidates: [Candidate] = []
    /// The kind of paths that can stand there, too; `nil` for none.
    public internal(set) var paths: Paths?
    /// The beginning of the typed word that is no part of a path, such as `--sandbox=`.
    public internal(set) var optionPart = ""
}

/// The part of a command line before the word that is completed.
public struct CompletionContext: Sendable {
    /// The beginning of the word or value that is completed.
    public internal(set) var prefix: String
    /// The names of the commands below the root.
    public internal(set) var path: [String] = []
    /// The arguments before it.
    public internal(set) var arguments: [String] = []
    var values: [String: [String]] = [:]
    var flags: Set<String> = []

    /// Returns the last value of an option before it.
    public func value(_ option: String) -> String? { values[option]?.last }

    /// Returns whether a flag stands before it.
    public func flag(_ name: String) -> Bool { flags.contains(name) }
}
