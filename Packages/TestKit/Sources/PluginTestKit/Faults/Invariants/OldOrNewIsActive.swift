/// I3: under each identifier the old or the new version is active, with its way back; never a third, never none.
public struct OldOrNewIsActive: SandboxInvariant {
    /// `I3`
    public let name = "I3"

    /// Checks it.
    public init() {}

    /// The identifiers with something else; see ``SandboxInvariant``.
    public func violations(in state: SandboxState, _ reference: FaultReference) -> [String] {
        guard case .success(let registry) = state.registry else { return [] }
        let (old, new, now) = (reference.before.installed, reference.after.installed, registry.installed)
        let strange = Set(old.keys).union(new.keys).union(now.keys).sorted().filter { identifier in
            now[identifier] != old[identifier] && now[identifier] != new[identifier]
        }
        if strange.isEmpty, reference.operation.isAtomic, now != old, now != new {
            return ["some bundles are old and some are new: \(describe(now))"]
        }
        return strange.map { identifier in
            "\(identifier) is \(describe(now[identifier])), neither \(describe(old[identifier]))"
                + " nor \(describe(new[identifier]))"
        }
    }

    private func describe(_ installed: RegistryState.Installed?) -> String {
        installed.map(\.description) ?? "not installed"
    }

    private func describe(_ installed: [String: RegistryState.Installed]) -> String {
        installed.values.map(\.description).sorted().joined(separator: "; ")
    }
}
