/// I7: the lowest version that may be installed under an identifier never becomes lower.
public struct FloorNeverFalls: SandboxInvariant {
    /// `I7`
    public let name = "I7"

    /// Checks it.
    public init() {}

    /// The floors that fell; see ``SandboxInvariant``.
    public func violations(in state: SandboxState, _ reference: FaultReference) -> [String] {
        guard case .success(let registry) = state.registry else { return [] }
        let (old, now) = (reference.before.floors, registry.floors)
        return old.sorted { $0.key < $1.key }.compactMap { identifier, floor in
            guard let left = now[identifier] else { return "\(identifier) has lost its floor \(floor)" }
            return left < floor ? "the floor of \(identifier) fell from \(floor) to \(left)" : nil
        }
    }
}
