public import PluginCore

/// I7: the lowest version that may be installed under an identifier never becomes lower.
public struct FloorNeverFalls: SandboxInvariant {
    /// `I7`
    public let name = "I7"
    private let floors: @Sendable (SandboxState) -> [String: SemanticVersion]

    /// Checks it.
    ///
    /// - Parameter floors: reads the floors of a sandbox, by identifier.
    public init(reading floors: @escaping @Sendable (SandboxState) -> [String: SemanticVersion]) {
        self.floors = floors
    }

    /// The floors that fell; see ``SandboxInvariant``.
    public func violations(in state: SandboxState, _ reference: FaultReference) -> [String] {
        let now = floors(state)
        return floors(reference.before).sorted { $0.key < $1.key }.compactMap { identifier, floor in
            guard let left = now[identifier] else { return "\(identifier) has lost its floor \(floor)" }
            return left < floor ? "the floor of \(identifier) fell from \(floor) to \(left)" : nil
        }
    }
}
