internal import PluginCore

/// I7: The minimum version of a bundle never decreases, neither in the registry nor in the file next to it.
public struct MinimumVersionNeverFalls: SandboxInvariant {
    /// The name for reports.
    public let name = "I7"

    /// Creates the invariant.
    public init() {}

    /// Returns the minimum versions that decreased.
    public func violations(in state: SandboxState, _ reference: FaultReference) -> [String] {
        guard case .success(let now) = state.registry, case .success(let old) = reference.before.registry else {
            return []
        }
        return fallen(from: old.minimumVersions, to: now.minimumVersions, in: "the registry")
            + fallen(from: old.mirroredMinimumVersions, to: now.mirroredMinimumVersions, in: "MinimumVersions")
    }

    private func fallen(
        from old: [String: SemanticVersion], to now: [String: SemanticVersion], in place: String
    ) -> [String] {
        old.sorted { $0.key < $1.key }.compactMap { identifier, minimumVersion in
            guard let left = now[identifier] else {
                return "\(identifier) has lost its minimum version \(minimumVersion) in \(place)"
            }
            return left < minimumVersion
                ? "the minimum version of \(identifier) fell from \(minimumVersion) to \(left) in \(place)" : nil
        }
    }
}
