internal import PluginCore
internal import SQLite

extension Registry {
    /// Whose active versions need a bundle, on demand or not, in whatever version; sorted.
    func dependents(of identifier: String) throws(AtriumError) -> [String] {
        try read { database in
            try database.query("SELECT owner FROM requirement WHERE bundle = ? ORDER BY owner", identifier) {
                try $0[0, as: String.self]
            }
        } ?? []
    }

    /// What the active version of a bundle needs, by identifier. What was installed before requirements were told apart needs all of
    /// them on demand, as it always did, whatever a manifest that is silent means today.
    func requirements(of identifier: String) throws(AtriumError) -> [BundleRequirement] {
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
