package import PluginTestKit

/// A command of the host with the preparation of its sandbox, for fault injection.
///
/// The expected result is not specified: the harness runs the command once, and once again, without faults.
///
/// ```swift
/// let operation = FaultOperation(
///     "update", preparation: [.run("install", "com.example.app.shop@1.0.0")],
///     command: ["update", "com.example.app.shop"])
/// ```
package struct FaultOperation: Sendable {
    /// A step that prepares the sandbox.
    package enum Step: Sendable {
        /// Run a command of the host, which must succeed.
        case host([String])
        /// Run a command of the host and kill it while it loads a library that has not run successfully yet.
        case killed([String])
        /// Change something outside of the sandbox, such as what a server offers.
        case perform(@Sendable () async throws -> Void)
        /// Write a file, given by its path relative to the sandbox's root.
        case file(String, content: String)

        /// Returns a step that runs a command of the host, given word by word.
        package static func run(_ words: String...) -> Step { .host(words) }
    }

    /// The name for reports.
    package let name: String
    /// The steps, starting without a sandbox.
    package let preparation: [Step]
    /// The arguments of the host.
    package let command: [String]
    /// A Boolean value that indicates whether the host may postpone the change until its next start and do the rest of the command.
    package let isPostponable: Bool

    /// A Boolean value that indicates whether the command has access to the catalog, from which lost files can be restored.
    package let hasCatalog: Bool

    /// The address of the published catalog that the command and its preparation use; `nil` for the folder of packages.
    package let address: String?

    /// A Boolean value that indicates whether the command runs code of bundles.
    var isUse: Bool { ["open", "call", "shell"].contains(command.first) }

    /// Creates an operation.
    package init(
        _ name: String, preparation: [Step], command: [String], isPostponable: Bool = false,
        hasCatalog: Bool = true, address: String? = nil
    ) {
        (self.name, self.preparation, self.command) = (name, preparation, command)
        (self.isPostponable, self.hasCatalog, self.address) = (isPostponable, hasCatalog, address)
    }
}

/// The effect of an operation without faults: the sandbox before it, after it, and after repeating it.
package struct FaultReference: Sendable {
    /// The operation.
    package let operation: FaultOperation
    /// The sandbox before the operation.
    package let before: SandboxState
    /// The sandbox after the operation.
    package let after: SandboxState
    /// The sandbox after repeating the operation.
    package let repeated: SandboxState
    /// The exit status of the repeated operation, which may be nonzero if there is nothing left to do.
    package let repeatedStatus: Int32

    /// Creates a reference.
    package init(
        operation: FaultOperation, before: SandboxState, after: SandboxState, repeated: SandboxState,
        repeatedStatus: Int32
    ) {
        (self.operation, self.before, self.after, self.repeated) = (operation, before, after, repeated)
        self.repeatedStatus = repeatedStatus
    }

    /// Returns the expected content of a version's folder, or nil for a version that the operation does not affect.
    package func content(of version: RegistryState.Version) -> [String: FileTree.Node]? {
        for state in [before, after, repeated] {
            let nodes = state.nodes(below: state.folder(of: version))
            if !nodes.isEmpty { return nodes }
        }
        return nil
    }
}
