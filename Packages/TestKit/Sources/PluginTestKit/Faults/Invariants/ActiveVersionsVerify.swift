/// I2: every active version's folder is there, has the seal that it is called by, and is byte for byte what that was for.
public struct ActiveVersionsVerify: SandboxInvariant {
    /// `I2`
    public let name = "I2"

    /// Checks it.
    public init() {}

    /// The active versions whose folder is not whole; see ``SandboxInvariant``.
    public func violations(in state: SandboxState, _ reference: FaultReference) -> [String] {
        state.installed.values.flatMap { state.differences(of: $0.active, reference).map { "active: \($0)" } }.sorted()
    }
}

/// I4: the registry, which alone leads to what is loaded, names no folder that is missing, partly written or unknown.
public struct OnlyWholeFoldersAreNamed: SandboxInvariant {
    /// `I4`
    public let name = "I4"

    /// Checks it.
    public init() {}

    /// The named versions whose folder is not whole; see ``SandboxInvariant``.
    public func violations(in state: SandboxState, _ reference: FaultReference) -> [String] {
        let named = (try? state.registry.get())?.named ?? []
        return named.flatMap { state.differences(of: $0, reference).map { "named: \($0)" } }
    }
}

extension SandboxState {
    /// In what a version's folder differs from the one that was installed without faults.
    func differences(of version: RegistryState.Version, _ reference: FaultReference) -> [String] {
        let folder = folder(of: version)
        guard let expected = reference.content(of: version) else { return ["nobody has installed \(version)"] }
        let found = nodes(below: folder)
        guard !found.isEmpty else { return ["\(folder) is not there"] }
        guard case .file(_, _, version.digest)? = found["signature/seal.json"] else {
            return ["\(folder) has not the seal that it is called by"]
        }
        return Set(expected.keys).union(found.keys).sorted().compactMap { path in
            expected[path] == found[path]
                ? nil
                : "\(folder)/\(path) is \(found[path].map(\.description) ?? "missing")"
                    + " and was \(expected[path].map(\.description) ?? "not there")"
        }
    }
}
