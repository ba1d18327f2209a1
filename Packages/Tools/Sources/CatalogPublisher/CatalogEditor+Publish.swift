import CatalogFormat
import Console
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
        try writeVersions()
        try writeProviders()
        let signers = try signers(in: &keys)
        try changeRoles { try $0.publish(signedBy: signers, at: time) }
        newContents = []
    }

    /// Reads the keys of all roles that must be signed.
    private func signers(in keys: inout CatalogKeys) throws -> [SecretKey] {
        let (root, old) = (repository.root, repository.published?.root.content)
        var ids: Set<String> = []
        func require(_ role: String, _ needed: RoleKeys, old: RoleKeys? = nil) throws {
            ids.formUnion(try keys.signers(of: role, needed))
            ids.formUnion(keys.ids.intersection(old?.ids ?? []))
        }
        let (hasNewRoot, changedRoles) = (repository.hasNewRoot, repository.changedRoles)
        let hasNewTargetsKeys = old?.keys(of: .targets) != root.keys(of: .targets)
        let roles: [(role: TopLevelRole, isSigned: Bool)] = [
            (.timestamp, true), (.snapshot, !changedRoles.isEmpty || hasNewRoot || repository.renewsSnapshot),
            (.root, hasNewRoot && !repository.hasImportedRoot),
            (.targets, hasNewRoot && (hasNewTargetsKeys || changedRoles.contains("targets"))),
        ]
        for (role, isSigned) in roles where isSigned {
            try require(role.rawValue, root.keys(of: role), old: old?.keys(of: role))
            if role == .root, let old { try require("root", old.keys(of: .root)) }
        }
        for role in repository.unsignedRoles {
            try require(role, self.keys(ofTargetsRole: role), old: role == "targets" ? old?.keys(of: .targets) : nil)
        }
        return try keys.keys(ids)
    }

    /// Returns the keys of a role with targets.
    func keys(ofTargetsRole role: String) throws -> RoleKeys {
        try reporting(folder) { try repository.keys(ofTargetsRole: role) }
    }

    /// Signs roles again that expire soon and whose keys are in a folder. A publication always signs the timestamp.
    ///
    /// - Returns: The renewed roles, with the timestamp.
    public mutating func renew(with keys: CatalogKeys, at time: UTCTime = .now) throws -> [String] {
        guard let published = repository.published else { throw CommandError.noCatalog(folder) }
        let root = repository.root
        func has(_ needed: RoleKeys) -> Bool { keys.ids.intersection(needed.ids).count >= needed.threshold }
        var roles: [String] = []
        // A snapshot is renewed after half of its life, so that a missed run of the command does no harm.
        let half = UTCTime(seconds: time.seconds + repository.lifetimes.snapshot * 12 * 3_600)
        if published.snapshot.content.expires < half { roles.append("snapshot") }
        let soon = time.adding(days: RoleExpiry.warningDays)
        if published.root.content.expires < soon, has(root.keys(of: .root)) { roles.append("root") }
        for role in ["targets"] + (try delegations()).map(\.name) {
            guard let content = try reporting(folder, { try published.targets(of: role) })?.content,
                content.expires < soon, has(try self.keys(ofTargetsRole: role))
            else { continue }
            roles.append(role)
        }
        for role in roles { try change { try $0.renew(role) } }
        return ["timestamp"] + roles
    }
}

// The lists of versions and providers, each of which is written once for each publication.
extension CatalogEditor {
    /// Returns the versions of a bundle, with changes that are not written yet.
    func versions(of identifier: BundleIdentifier) throws -> CatalogVersions {
        try versions[identifier]
            ?? target(CatalogPath.versions(of: identifier))?.custom.map {
                try CatalogVersions(custom: $0, identifier: identifier)
            } ?? CatalogVersions(identifier: identifier)
    }

    /// Adds a bundle to those that meet a need, or removes it.
    mutating func set(_ bundle: BundleIdentifier, isProviderOf need: CatalogNeed, _ isProvider: Bool) throws {
        var list = try providers[need] ?? publishedProviders(of: need) ?? CatalogProviders()
        let others = list.bundles.filter { $0 != bundle }
        list.bundles = (isProvider ? others + [bundle] : others).sorted()
        providers[need] = list
    }

    private func publishedProviders(of need: CatalogNeed) throws -> CatalogProviders? {
        let path = CatalogPath.providers(of: need)
        return try target(path)?.custom.map { try CatalogProviders(custom: $0, path: path) }
    }

    mutating func writeVersions() throws {
        for (identifier, list) in versions.sorted(by: { $0.key < $1.key }) {
            try setList(
                CatalogPath.versions(of: identifier), list.custom, count: max(list.offered.count, list.revoked.count),
                limit: CatalogLimits.versions)
        }
        versions = [:]
    }

    private mutating func writeProviders() throws {
        for (need, list) in providers where try publishedProviders(of: need) != list {
            try setList(
                CatalogPath.providers(of: need), list.custom, count: list.bundles.count,
                limit: CatalogLimits.providers)
        }
        providers = [:]
    }
}
