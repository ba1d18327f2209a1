/// I3: For each bundle, either the old or the new version is active, with its rollback target, and no other.
public struct OldOrNewIsActive: SandboxInvariant {
    /// The name for reports.
    public let name = "I3"

    /// Creates the invariant.
    public init() {}

    /// Returns the bundles in another state.
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
