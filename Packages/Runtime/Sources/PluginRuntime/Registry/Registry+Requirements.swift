internal import PluginCore
internal import SQLite

extension Registry {
    /// Whose active versions need a bundle, on demand or not, in whatever version; sorted.
    func dependents(of identifier: String) throws(AtriumError) -> [String] {
        try read { database in
            try database.query(
                """
                SELECT DISTINCT active.identifier
                FROM active
                JOIN bundle USING (identifier, version, digest)
                JOIN json_each(
                    CASE WHEN json_valid(CAST(manifest AS TEXT)) THEN CAST(manifest AS TEXT) ELSE '{}' END, '$.requires'
                ) AS required
                WHERE required.value ->> '$.bundle' = ? ORDER BY active.identifier
                """, identifier
            ) { try $0[0, as: String.self] }
        } ?? []
    }
}
