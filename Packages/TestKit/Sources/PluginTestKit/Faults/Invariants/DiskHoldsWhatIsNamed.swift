/// I6: once nothing is left to clear up, the disk holds the versions that the registry names and no others, and nothing is
/// left in Staging.
///
/// Holds after ``FaultHarness/settling``, and not before.
public struct DiskHoldsWhatIsNamed: SandboxInvariant {
    /// `I6`
    public let name = "I6"

    /// Checks it.
    public init() {}

    /// What lies there and is not named, or the other way round; see ``SandboxInvariant``.
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
