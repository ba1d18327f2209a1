/// The effect of an operation without faults: the sandbox before it, after it, and after repeating it.
public struct FaultReference: Sendable {
    /// The operation.
    public let operation: FaultOperation
    /// The sandbox before the operation.
    public let before: SandboxState
    /// The sandbox after the operation.
    public let after: SandboxState
    /// The sandbox after repeating the operation.
    public let repeated: SandboxState
    /// The exit status of the repeated operation, which may be nonzero if there is nothing left to do.
    public let repeatedStatus: Int32

    /// Creates a reference.
    public init(
        operation: FaultOperation, before: SandboxState, after: SandboxState, repeated: SandboxState,
        repeatedStatus: Int32
    ) {
        self.operation = operation
        self.before = before
        self.after = after
        self.repeated = repeated
        self.repeatedStatus = repeatedStatus
    }

    /// Returns the expected content of a version's folder, or nil for a version that the operation does not affect.
    public func content(of version: RegistryState.Version) -> [String: FileTree.Node]? {
        for state in [before, after, repeated] {
            let nodes = state.nodes(below: state.folder(of: version))
            if !nodes.isEmpty { return nodes }
        }
        return nil
    }
}
