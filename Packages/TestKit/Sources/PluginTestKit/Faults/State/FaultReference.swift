/// What an operation does when nothing goes wrong: what the sandbox is before it, after it, and after it was asked for again.
public struct FaultReference: Sendable {
    /// The operation.
    public let operation: FaultOperation
    /// The sandbox it starts from.
    public let before: SandboxState
    /// What it makes of it.
    public let after: SandboxState
    /// What it makes of that when it is run again.
    public let repeated: SandboxState
    /// The exit status of that; not 0 where there is nothing left to do and the host says so.
    public let repeatedStatus: Int32

    /// Takes what was seen.
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

    /// What is to be in a version's folder; `nil` for a version that the operation has nothing to do with.
    public func content(of version: RegistryState.Version) -> [String: FileTree.Node]? {
        for state in [before, after, repeated] {
            let nodes = state.nodes(below: state.folder(of: version))
            if !nodes.isEmpty { return nodes }
        }
        return nil
    }
}
