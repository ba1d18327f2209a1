import PluginCore
internal import SQLite

extension Registry {
    /// What a version requires to be there before it is loaded.
    func hardRequirements(of bundle: PluginBundle) throws(AtriumError) -> [BundleRequirement] {
        let rows =
            try read { database in
                try database.query(
                    """
                    SELECT needed.value ->> '$.bundle', needed.value ->> '$.versions'
                    FROM bundle JOIN json_each(CAST(manifest AS TEXT), '$.requires') AS needed
                    WHERE identifier = ? AND version = ? AND digest = ? AND json_valid(CAST(manifest AS TEXT))
                        AND coalesce(needed.value ->> '$.onDemand', 0) = 0
                    """,
                    bundle.identity.identifier, bundle.identity.version.description, bundle.digest
                ) { (try $0[0, as: String.self], try $0[1, as: String.self]) }
            } ?? []
        return try rows.map { row throws(AtriumError) in
            guard let versions = VersionRange(row.1) else {
                throw AtriumError(
                    .registryDamaged, bundle.identity.description, detail: "range \"\(row.1)\" can not be read")
            }
            return BundleRequirement(identifier: row.0, versions: versions)
        }
    }
}
