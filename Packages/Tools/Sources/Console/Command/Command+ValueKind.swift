extension Command {
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
