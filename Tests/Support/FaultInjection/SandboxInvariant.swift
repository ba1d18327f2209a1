import PluginTestKit

/// A property that a sandbox has after every operation, even an interrupted one.
package struct SandboxInvariant: Sendable {
    /// The name for reports, such as I1.
    package let name: String
    private let check: @Sendable (SandboxState, FaultReference) -> [String]

    init(_ name: String, _ check: @escaping @Sendable (SandboxState, FaultReference) -> [String]) {
        (self.name, self.check) = (name, check)
    }

    /// Returns the violations, one sentence each, or none if the invariant holds.
    ///
    /// - Parameters:
    ///   - state: The sandbox after the fault.
    ///   - reference: The states without faults.
    package func violations(in state: SandboxState, _ reference: FaultReference) -> [String] { check(state, reference) }
}

extension [SandboxInvariant] {
    /// The invariants for every sandbox: I1 to I4, I7, I8, and unchanged data.
    package static let standard: Self = [
        .registryIsSound, .activeVersionsVerify, .oldOrNewIsActive, .onlyWholeFoldersAreNamed,
        .minimumVersionNeverFalls, .trustedMetadataIsWhole, .dataIsUntouched,
    ]
}

extension SandboxInvariant {
    /// I1: The registry can be opened and passes its integrity check.
    package static let registryIsSound = SandboxInvariant("I1") { state, _ in
        switch state.registry {
        case .success(let registry): registry.problems.map { "the registry's check finds: \($0)" }
        case .failure(let error): ["the registry cannot be read: \(error)"]
        }
    }

    /// I2: The folder of each active version exists, contains the seal that it is named after, and has exactly the sealed content.
    package static let activeVersionsVerify = SandboxInvariant("I2") { state, reference in
        state.installed.values.flatMap { state.differences(of: $0.active, reference).map { "active: \($0)" } }.sorted()
    }

    /// I3: For each bundle, either the old or the new version is active, with its rollback target, and no other; all are old, or all new.
    package static let oldOrNewIsActive = SandboxInvariant("I3") { state, reference in
        guard case .success(let registry) = state.registry else { return [] }
        let (old, new, now) = (reference.before.installed, reference.after.installed, registry.installed)
        func describe(_ installed: RegistryState.Installed?) -> String { installed?.description ?? "not installed" }
        let strange = Set(old.keys).union(new.keys).union(now.keys).sorted().filter { identifier in
            now[identifier] != old[identifier] && now[identifier] != new[identifier]
        }
        if strange.isEmpty, now != old, now != new {
            let all = now.values.map(\.description).sorted().joined(separator: "; ")
            return ["some bundles are old and some are new: \(all)"]
        }
        return strange.map { identifier in
            "\(identifier) is \(describe(now[identifier])), neither \(describe(old[identifier]))"
                + " nor \(describe(new[identifier]))"
        }
    }

    /// I4: The registry never refers to a folder that is missing, incomplete or unknown.
    package static let onlyWholeFoldersAreNamed = SandboxInvariant("I4") { state, reference in
        let named = (try? state.registry.get())?.named ?? []
        return named.flatMap { state.differences(of: $0, reference).map { "named: \($0)" } }
    }

    /// I6: After collecting leftovers, the disk contains exactly the versions in the registry, and the staging folder is empty.
    ///
    /// This must hold only after the command ``FaultHarness/settling``.
    package static let diskHoldsWhatIsNamed = SandboxInvariant("I6") { state, _ in
        guard case .success(let registry) = state.registry else { return [] }
        let prefix = "Containers/Bundle/Plugins/"
        let named = Set(registry.named.map { String(state.folder(of: $0).dropFirst(prefix.utf8.count)) })
        let found = state.versionFolders
        return found.subtracting(named).sorted().map { "\(prefix)\($0) is left, and no row names it" }
            + named.subtracting(found).sorted().map { "\(prefix)\($0) is named, and not there" }
            + state.nodes(below: "Containers/Staging").keys.filter { $0 != "." }.sorted()
            .map { "Containers/Staging/\($0) is left" }
    }

    /// I7: The minimum version of a bundle never decreases, neither in the registry nor in the file next to it.
    package static let minimumVersionNeverFalls = SandboxInvariant("I7") { state, reference in
        guard case .success(let now) = state.registry, case .success(let old) = reference.before.registry else {
            return []
        }
        let places = [
            ("the registry", old.minimumVersions, now.minimumVersions),
            ("MinimumVersions", old.mirroredMinimumVersions, now.mirroredMinimumVersions),
        ]
        return places.flatMap { place, old, now in
            old.sorted { $0.key < $1.key }.compactMap { identifier, minimumVersion in
                guard let left = now[identifier] else {
                    return "\(identifier) has lost its minimum version \(minimumVersion) in \(place)"
                }
                return left < minimumVersion
                    ? "the minimum version of \(identifier) fell from \(minimumVersion) to \(left) in \(place)" : nil
            }
        }
    }

    /// I8: The trusted metadata of a published catalog is the old or the new state as a whole, and no version of it decreases.
    ///
    /// Without a server, a host must be able to use it.
    package static let trustedMetadataIsWhole = SandboxInvariant("I8") { state, reference in
        reference.before.catalogs.sorted { $0.key < $1.key }.compactMap { folder, old in
            guard !old.isEmpty else { return nil }
            let (now, new) = (state.catalogs[folder] ?? [:], reference.after.catalogs[folder] ?? [:])
            if now.isEmpty { return "the catalog \(folder) has no complete trusted metadata" }
            if let role = old.keys.sorted().first(where: { now[$0, default: 0] < old[$0, default: 0] }) {
                return "the \(role) of the catalog \(folder) fell from version \(old[role] ?? 0) to \(now[role] ?? 0)"
            }
            return now == old || now == new ? nil : "the catalog \(folder) has \(now), neither \(old) nor \(new)"
        }
    }

    /// I9: A downloaded package that has its name is one of the published ones, byte for byte. Only hidden files may be incomplete.
    ///
    /// - Parameter digests: The SHA-256 digests of all published packages.
    package static func downloadsAreWhole(digests: Set<String>) -> SandboxInvariant {
        SandboxInvariant("I9") { state, _ in
            state.nodes(below: "Containers/Catalogs").sorted { $0.key < $1.key }.compactMap { path, node in
                let parts = path.split(separator: "/")
                guard parts.count == 3, parts[1] == "packages", !parts[2].hasPrefix(".") else { return nil }
                if case .file(_, _, let digest) = node, digests.contains(digest) { return nil }
                return "\(path) is no published package: \(node)"
            }
        }
    }

    /// The data of plugins and host does not change, unless the operation removes it.
    package static let dataIsUntouched = SandboxInvariant("data") { state, reference in
        ["Containers/Data", "Containers/Shared"].flatMap { folder in
            let (old, new, now) = (
                reference.before.nodes(below: folder), reference.after.nodes(below: folder), state.nodes(below: folder)
            )
            return Set(old.keys).union(now.keys).sorted().compactMap { path -> String? in
                let node = now[path]
                if node == old[path] || node == new[path] { return nil }
                // The record of a change of the data version, which the next use completes or repeats.
                if path.hasSuffix("/used") || path.hasSuffix("/.used.new"), case .file? = node { return nil }
                // Newer data that was set aside, unchanged.
                let parts = path.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
                if node == nil, parts.count > 2, let before = old[path] {
                    let aside = (parts[..<2] + ["\(parts[2]).kept-1"] + parts[3...]).joined(separator: "/")
                    if now[aside] == before { return nil }
                }
                return "\(folder)/\(path) is \(node.map(\.description) ?? "gone")"
            }
        }
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
