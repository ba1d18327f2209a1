import PluginCore
internal import SQLite

extension Registry {
    /// What the active version of a bundle requires to be there before it is loaded.
    func hardRequirements(of bundle: PluginBundle) throws(AtriumError) -> [BundleRequirement] {
        try read { database in
            try database.query(
                "SELECT bundle, versions FROM requirement WHERE owner = ? AND on_demand = 0 ORDER BY bundle",
                bundle.identity.identifier
            ) { row in
                let text = try row[1, as: String.self]
                guard let versions = VersionRange(text) else {
                    throw AtriumError(
                        .registryDamaged, bundle.identity.description, detail: "range \"\(text)\" can not be read")
                }
                return BundleRequirement(identifier: try row[0], versions: versions)
            }
        } ?? []
    }
}
