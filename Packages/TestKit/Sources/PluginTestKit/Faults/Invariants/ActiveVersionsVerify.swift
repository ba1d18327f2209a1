/// I2: The folder of each active version exists, contains the seal that it is named after, and has exactly the sealed content.
public struct ActiveVersionsVerify: SandboxInvariant {
    /// The name for reports.
    public let name = "I2"

    /// Creates the invariant.
    public init() {}

    /// Returns the active versions whose folders are incomplete or changed.
    public func violations(in state: SandboxState, _ reference: FaultReference) -> [String] {
        state.installed.values.flatMap { state.differences(of: $0.active, reference).map { "active: \($0)" } }.sorted()
    }
}

/// I4: The registry never refers to a folder that is missing, incomplete or unknown.
public struct OnlyWholeFoldersAreNamed: SandboxInvariant {
    /// The name for reports.
    public let name = "I4"

    /// Creates the invariant.
    public init() {}

    /// Returns the versions in the registry whose folders are incomplete or changed.
    public func violations(in state: SandboxState, _ reference: FaultReference) -> [String] {
        let named = (try? state.registry.get())?.named ?? []
        return named.flatMap { state.differences(of: $0, reference).map { "named: \($0)" } }
    }
}

extension SandboxState {
    /// Returns the differences of a version's folder from the one that was installed without faults.
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
