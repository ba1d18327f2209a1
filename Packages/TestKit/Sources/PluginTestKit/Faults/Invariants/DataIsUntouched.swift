/// What plugins and host keep is byte for byte what it was, unless the operation is to remove it.
public struct DataIsUntouched: SandboxInvariant {
    /// `data`
    public let name = "data"

    /// Checks it.
    public init() {}

    /// What is neither as before nor as afterwards; see ``SandboxInvariant``.
    public func violations(in state: SandboxState, _ reference: FaultReference) -> [String] {
        ["Containers/Data", "Containers/Shared"].flatMap { folder in
            let (old, new, now) = (
                reference.before.nodes(below: folder), reference.after.nodes(below: folder), state.nodes(below: folder)
            )
            return Set(old.keys).union(now.keys).sorted().compactMap { path -> String? in
                let node = now[path]
                if node == old[path] || node == new[path] { return nil }
                return "\(folder)/\(path) is \(node.map(\.description) ?? "gone")"
            }
        }
    }
}
