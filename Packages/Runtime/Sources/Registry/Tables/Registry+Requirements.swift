package import PluginCore
internal import SQLite

extension Registry {
    /// Returns the bundles whose active versions require a bundle, on demand or not, sorted.
    package func dependents(of identifier: String) throws(AtriumError) -> [String] {
        try read { database in
            try database.query("SELECT owner FROM requirement WHERE bundle = ? ORDER BY owner", identifier) {
                try $0[0, as: String.self]
            }
        } ?? []
    }

    /// Returns the requirements of a bundle's active version, sorted by identifier.
    ///
    /// For versions installed by hosts that didn't distinguish them, all requirements are on demand, whatever their manifests
    /// would mean today.
    package func requirements(of identifier: String) throws(AtriumError) -> [BundleRequirement] {
        try read { database in
            try database.query(
                "SELECT bundle, versions, on_demand FROM requirement WHERE owner = ? ORDER BY bundle", identifier
            ) { row in
                let (bundle, text) = (try row[0, as: String.self], try row[1, as: String.self])
                guard let versions = VersionRange(text) else {
                    throw AtriumError(.registryDamaged, identifier, detail: "range \"\(text)\" cannot be read")
                }
                return BundleRequirement(
                    identifier: bundle, versions: versions, isOnDemand: try row[2, as: Int.self] != 0)
            }
        } ?? []
    }
}
