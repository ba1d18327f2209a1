/// I1: the registry opens and passes its integrity check.
public struct RegistryIsSound: SandboxInvariant {
    /// `I1`
    public let name = "I1"

    /// Checks it.
    public init() {}

    /// What the registry's check finds; see ``SandboxInvariant``.
    public func violations(in state: SandboxState, _ reference: FaultReference) -> [String] {
        switch state.registry {
        case .success(let registry): registry.problems.map { "the registry's check finds: \($0)" }
        case .failure(let error): ["the registry cannot be read: \(error)"]
        }
    }
}
