/// I6: After collecting leftovers, the disk contains exactly the versions in the registry, and the staging folder is empty.
///
/// This must hold only after the command ``FaultHarness/settling``.
public struct DiskHoldsWhatIsNamed: SandboxInvariant {
    /// The name for reports.
    public let name = "I6"

    /// Creates the invariant.
    public init() {}

    /// Returns the folders without a row in the registry, and the rows without a folder.
    public func violations(in state: SandboxState, _ reference: FaultReference) -> [String] {
        guard case .success(let registry) = state.registry else { return [] }
        let prefix = "Containers/Bundle/Plugins/"
        let named = Set(registry.named.map { String(state.folder(of: $0).dropFirst(prefix.utf8.count)) })
        let found = state.versionFolders
        return found.subtracting(named).sorted().map { "\(prefix)\($0) is left, and no row names it" }
            + named.subtracting(found).sorted().map { "\(prefix)\($0) is named, and not there" }
            + state.nodes(below: "Containers/Staging").keys.filter { $0 != "." }.sorted()
            .map { "Containers/Staging/\($0) is left" }
    }
}
