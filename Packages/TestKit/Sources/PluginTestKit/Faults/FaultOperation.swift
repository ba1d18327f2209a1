/// A command of the host with the preparation of its sandbox, for fault injection.
///
/// The expected result is not specified: the harness runs the command once, and once again, without faults.
///
/// ```swift
/// let operation = FaultOperation(
///     "update", preparation: [.run("install", "com.example.app.shop@1.0.0")],
///     command: ["update", "com.example.app.shop"])
/// ```
public struct FaultOperation: Sendable {
    /// A step that prepares the sandbox.
    public enum Step: Sendable {
        /// Run a command of the host, which must succeed.
        case host([String])
        /// Run a command of the host and kill it while it loads a library that has not run successfully yet.
        case killed([String])
        /// Change something outside of the sandbox, such as what a server offers.
        case perform(@Sendable () async throws -> Void)
        /// Write a file, given by its path relative to the sandbox's root.
        case file(String, content: String)

        /// Returns a step that runs a command of the host, given word by word.
        public static func run(_ words: String...) -> Step { .host(words) }
    }

    /// The name for reports.
    public let name: String
    /// The steps, starting without a sandbox.
    public let preparation: [Step]
    /// The arguments of the host.
    public let command: [String]
    /// A Boolean value that indicates whether the command changes either all of its bundles or none.
    public let isAtomic: Bool

    /// A Boolean value that indicates whether the host may postpone the change until its next start and do the rest of the command.
    public let isPostponable: Bool

    /// A Boolean value that indicates whether the command has access to the catalog, from which lost files can be restored.
    public let hasCatalog: Bool

    /// The address of the published catalog that the command and its preparation use; `nil` for the folder of packages.
    public let address: String?

    /// A Boolean value that indicates whether the command runs code of bundles.
    var isUse: Bool { ["open", "call", "shell", "replay"].contains(command.first) }

    /// Creates an operation.
    public init(
        _ name: String, preparation: [Step], command: [String], isAtomic: Bool = true, isPostponable: Bool = false,
        hasCatalog: Bool = true, address: String? = nil
    ) {
        self.name = name
        self.preparation = preparation
        self.command = command
        self.isAtomic = isAtomic
        self.isPostponable = isPostponable
        self.hasCatalog = hasCatalog
        self.address = address
    }
}
