import PluginCore
public import TUFMetadata
import TUFRepository

extension CatalogEditor {
    /// Signs all that has changed, and writes it so that hosts see the whole new catalog or the whole old one.
    ///
    /// - Parameters:
    ///   - keys: The folder of keys, of which those are read that must sign.
    ///   - time: The time from which lifetimes are counted.
    /// - Throws: ``PublisherError``; then hosts see the catalog as before.
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
            let present = keys.ids.intersection(needed.ids)
            guard present.count >= needed.threshold else {
                throw PublisherError.keysMissing(
                    role: role, keys: needed.ids, needed: needed.threshold, keys.folder)
            }
            ids.formUnion(present)
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
