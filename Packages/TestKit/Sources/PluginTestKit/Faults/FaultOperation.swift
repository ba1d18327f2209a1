/// A command of the host that faults are tried on, and what the sandbox is like before it.
///
/// What the command has to achieve is not written down: the harness runs it once, and once more, without faults.
///
/// ```swift
/// let operation = FaultOperation(
///     "update", preparation: [.run("install", "com.example.app.shop@1.0.0")],
///     command: ["update", "com.example.app.shop"])
/// ```
public struct FaultOperation: Sendable {
    /// How a sandbox comes to be what it is before the command.
    public enum Step: Sendable {
        /// A command of the host, which must succeed.
        case host([String])
        /// A command of the host, which is killed while a bundle's library is loaded that has not run successfully yet.
        case killed([String])
        /// A file, by its path relative to the sandbox's root.
        case file(String, content: String)

        /// A command of the host, word by word.
        public static func run(_ words: String...) -> Step { .host(words) }
    }

    /// What reports call it.
    public let name: String
    /// The steps from no sandbox at all.
    public let preparation: [Step]
    /// The words behind `hostapp`.
    public let command: [String]
    /// A Boolean value that indicates whether it changes all of its bundles in one transaction or none.
    public let isAtomic: Bool

    /// A Boolean value that indicates whether the host may put the change off until its next start, and do the rest of the command.
    public let isPostponable: Bool

    /// A Boolean value that indicates whether the command sees the catalog, and not an empty one: what was lost can't come back then.
    public let hasCatalog: Bool

    /// A Boolean value that indicates whether it uses bundles, and does not only move them.
    var isUse: Bool { ["open", "call", "shell", "replay"].contains(command.first) }

    /// An operation.
    public init(
        _ name: String, preparation: [Step], command: [String], isAtomic: Bool = true, isPostponable: Bool = false,
        hasCatalog: Bool = true
    ) {
        self.name = name
        self.preparation = preparation
        self.command = command
        self.isAtomic = isAtomic
        self.isPostponable = isPostponable
        self.hasCatalog = hasCatalog
    }
}
