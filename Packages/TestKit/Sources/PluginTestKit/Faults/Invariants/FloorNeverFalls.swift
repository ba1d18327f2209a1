internal import PluginCore

/// I7: the lowest version that may be installed under an identifier never becomes lower, in the registry and in the file beside
/// it.
public struct FloorNeverFalls: SandboxInvariant {
    /// `I7`
    public let name = "I7"

    /// Checks it.
    public init() {}

    /// The floors that fell; see ``SandboxInvariant``.
    public func violations(in state: SandboxState, _ reference: FaultReference) -> [String] {
        guard case .success(let now) = state.registry, case .success(let old) = reference.before.registry else {
            return []
        }
        return fallen(from: old.floors, to: now.floors, in: "the registry")
            + fallen(from: old.mirroredFloors, to: now.mirroredFloors, in: "Floors")
    }

    private func fallen(
        from old: [String: SemanticVersion], to now: [String: SemanticVersion], in place: String
    ) -> [String] {
        old.sorted { $0.key < $1.key }.compactMap { identifier, floor in
            guard let left = now[identifier] else { return "\(identifier) has lost its floor \(floor) in \(place)" }
            return left < floor ? "the floor of \(identifier) fell from \(floor) to \(left) in \(place)" : nil
        }
    }
}
