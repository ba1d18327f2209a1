/// The data of plugins and host does not change, unless the operation removes it.
public struct DataIsUntouched: SandboxInvariant {
    /// The name for reports.
    public let name = "data"

    /// Creates the invariant.
    public init() {}

    /// Returns the files that have neither the old nor the new content.
    public func violations(in state: SandboxState, _ reference: FaultReference) -> [String] {
        ["Containers/Data", "Containers/Shared"].flatMap { folder in
            let (old, new, now) = (
                reference.before.nodes(below: folder), reference.after.nodes(below: folder), state.nodes(below: folder)
            )
            return Set(old.keys).union(now.keys).sorted().compactMap { path -> String? in
                let node = now[path]
                if node == old[path] || node == new[path] { return nil }
                // The record of a change of the data version, which the next use completes or repeats.
                if path.hasSuffix("/used") || path.hasSuffix("/.used.new"), case .file? = node { return nil }
                // Newer data that was set aside, unchanged.
                let parts = path.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
                if node == nil, parts.count > 2, let before = old[path] {
                    let aside = (parts[..<2] + ["\(parts[2]).kept-1"] + parts[3...]).joined(separator: "/")
                    if now[aside] == before { return nil }
                }
                return "\(folder)/\(path) is \(node.map(\.description) ?? "gone")"
            }
        }
    }
}
