import Console
import CatalogFormat
import PluginCore
import PluginRuntime
public import TUFMetadata
import TUFRepository

extension CatalogEditor {
    /// Signs all that has changed, and writes it so that hosts see the whole new catalog or the whole old one.
    ///
    /// - Parameters:
    ///   - keys: The folder of keys, of which those are read that must sign.
    ///   - time: The time from which lifetimes are counted.
    /// - Throws: ``CommandError``; then hosts see the catalog as before.
    public mutating func publish(signedBy keys: inout CatalogKeys, at time: UTCTime = .now) throws {
        try writeLists()
        let signers = try signers(in: &keys)
        try change { (repository) throws(TUFError) in try repository.publish(signedBy: signers, at: time) }
        newContents = []
        try updateIndex()
    }

    /// Reads the keys of all roles that must be signed.
    private func signers(in keys: inout CatalogKeys) throws -> [SecretKey] {
        let (root, old) = (repository.root, repository.published?.root.content)
        var ids: Set<String> = []
        func require(_ role: String, _ needed: RoleKeys, old: RoleKeys? = nil) throws {
            ids.formUnion(try keys.signers(of: role, needed))
            ids.formUnion(keys.ids.intersection(old?.ids ?? []))
        }
        var top: [TopLevelRole] = [.timestamp]
        if !repository.changedRoles.isEmpty || repository.hasNewRoot || repository.renewsSnapshot {
            top.append(.snapshot)
        }
        for role in top { try require(role.rawValue, root.keys(of: role), old: old?.keys(of: role)) }
        if repository.hasNewRoot, !repository.hasImportedRoot {
            try require("root", root.keys(of: .root))
            if let old = old?.keys(of: .root) { try require("root", old) }
        }
        let hasNewTargetsKeys = old.map { $0.keys(of: .targets) != root.keys(of: .targets) } ?? true
        if repository.hasNewRoot, hasNewTargetsKeys || repository.changedRoles.contains("targets") {
            try require("targets", root.keys(of: .targets), old: old?.keys(of: .targets))
        }
        for role in repository.unsignedRoles {
            try require(
                role, try inRepository { () throws(TUFError) in try repository.keys(ofTargetsRole: role) },
                old: role == "targets" ? old?.keys(of: .targets) : nil)
        }
        return try keys.keys(ids)
    }
}

// The lists of versions and providers, each of which is written once for each publication.
extension CatalogEditor {
    /// Returns the versions of a bundle, with changes that are not written yet.
    func versions(of identifier: BundleIdentifier) throws -> CatalogVersions {
        if let list = versions[identifier] { return list }
        guard let custom = try target(CatalogPath.versions(of: identifier))?.custom else {
            return CatalogVersions(identifier: identifier)
        }
        return try CatalogVersions(custom: custom, identifier: identifier)
    }

    mutating func setVersions(_ list: CatalogVersions) throws {
        guard max(list.offered.count, list.revoked.count) <= CatalogLimits.versions else {
            throw CommandError.listFull(CatalogPath.versions(of: list.identifier), limit: CatalogLimits.versions)
        }
        versions[list.identifier] = list
        changedVersions.insert(list.identifier)
    }

    /// Writes the changed lists as targets.
    mutating func writeLists() throws {
        try writeVersions()
        for (need, change) in providerChanges { try write(change, of: need) }
        providerChanges = [:]
    }

    mutating func writeVersions() throws {
        for identifier in changedVersions.sorted() {
            guard let list = versions[identifier] else { continue }
            let path = CatalogPath.versions(of: identifier)
            if list.offered.isEmpty, list.revoked.isEmpty {
                try removeTarget(path)
            } else {
                try addTarget(path, .bytes(list.content), custom: list.custom)
            }
        }
        (versions, changedVersions) = ([:], [])
    }

    private mutating func write(_ change: ProviderChange, of need: CatalogNeed) throws {
        let path = CatalogPath.providers(of: need)
        let old = try target(path)?.custom
        var list = try old.map { custom in try CatalogProviders(custom: custom, path: path) } ?? CatalogProviders()
        let bundles = Set(list.bundles).subtracting(change.removed).union(change.added)
        guard bundles != Set(list.bundles) || old == nil else { return }
        guard bundles.count <= CatalogLimits.providers else {
            throw CommandError.listFull(path, limit: CatalogLimits.providers)
        }
        list.bundles = bundles.sorted()
        if bundles.isEmpty {
            try removeTarget(path)
        } else {
            try addTarget(path, .bytes(list.content), custom: list.custom)
        }
    }
}

extension CatalogEditor {
    /// Signs roles again that expire soon and whose keys are in a folder. A publication always signs the timestamp.
    ///
    /// - Returns: The renewed roles, with the timestamp.
    public mutating func renew(with keys: CatalogKeys, at time: UTCTime = .now) throws -> [String] {
        guard let published = repository.published else { throw CommandError.noCatalog(folder) }
        var renewed = ["timestamp"]
        let root = repository.root
        func has(_ needed: RoleKeys) -> Bool { keys.ids.intersection(needed.ids).count >= needed.threshold }
        // A snapshot is renewed after half of its life, so that a missed run of the command does no harm.
        if published.snapshot.content.expires < time.adding(hours: repository.lifetimes.snapshot * 12) {
            try change { (repository) throws(TUFError) in try repository.renew("snapshot") }
            renewed.append("snapshot")
        }
        let soon = time.adding(days: RoleExpiry.warningDays)
        if published.root.content.expires < soon, has(root.keys(of: .root)) {
            try change { (repository) throws(TUFError) in try repository.renew("root") }
            renewed.append("root")
        }
        for role in ["targets"] + (try delegations()).map(\.name) {
            guard let content = try inRepository({ () throws(TUFError) in try published.targets(of: role) })?.content,
                content.expires < soon,
                has(try inRepository { () throws(TUFError) in try repository.keys(ofTargetsRole: role) })
            else { continue }
            try change { (repository) throws(TUFError) in try repository.renew(role) }
            renewed.append(role)
        }
        return renewed
    }
}

extension UTCTime {
    func adding(hours: Int) -> UTCTime { UTCTime(seconds: seconds + hours * 3600) }
}
