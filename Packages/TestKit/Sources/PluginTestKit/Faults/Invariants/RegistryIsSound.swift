/// I1: The registry can be opened and passes its integrity check.
public struct RegistryIsSound: SandboxInvariant {
    /// The name for reports.
    public let name = "I1"

    /// Creates the invariant.
    public init() {}

    /// Returns the problems that the integrity check finds.
    public func violations(in state: SandboxState, _ reference: FaultReference) -> [String] {
        switch state.registry {
        case .success(let registry): registry.problems.map { "the registry's check finds: \($0)" }
        case .failure(let error): ["the registry cannot be read: \(error)"]
        }
    }
}
