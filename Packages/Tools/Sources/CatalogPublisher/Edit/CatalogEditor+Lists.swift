import CatalogFormat
import PluginCore
import PluginRuntime
import TUFMetadata

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
            throw PublisherError.listFull(CatalogPath.versions(of: list.identifier), limit: CatalogLimits.versions)
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
            throw PublisherError.listFull(path, limit: CatalogLimits.providers)
        }
        list.bundles = bundles.sorted()
        if bundles.isEmpty {
            try removeTarget(path)
        } else {
            try addTarget(path, .bytes(list.content), custom: list.custom)
        }
    }
}
