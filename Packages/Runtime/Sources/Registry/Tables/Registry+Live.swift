package import PluginCore
internal import SQLite

/// Queries that let a running process notice the changes of other processes.
extension Registry {
    /// The fields that distinguish a version from another.
    package struct ActiveVersion: Hashable, Sendable {
        package let version: String
        let digest: String
    }

    /// Returns the current generation of the registry.
    ///
    /// - Returns: `nil` when there is no registry.
    package func generation() throws(AtriumError) -> RouteCache.Generation? {
        try readGeneration { _, generation in generation }
    }

    /// Returns the active versions of some bundles, and the generation in which, or before which, they were read.
    package func activeVersions(
        of identifiers: [String]
    ) throws(AtriumError) -> (versions: [String: ActiveVersion], generation: RouteCache.Generation?) {
        let found = try readGeneration { database, generation in
            let rows = try database.query(
                """
                SELECT identifier, version, digest FROM active
                WHERE identifier IN (SELECT value FROM json_each(?))
                """, "[" + identifiers.map { "\"\($0)\"" }.joined(separator: ",") + "]"
            ) { (try $0[0, as: String.self], ActiveVersion(version: try $0[1], digest: try $0[2])) }
            return (Dictionary(rows) { $1 }, generation)
        }
        return (found?.0 ?? [:], found?.1)
    }
}

extension RouteCache.Generation {
    /// Returns whether another connection or process has written, or may have written, since an earlier generation.
    package func isOthersWork(since before: Self) -> Bool {
        connection != before.connection || version != before.version
    }
}

extension PluginBundle {
    /// The fields that distinguish the version from another.
    package var activeVersion: Registry.ActiveVersion {
        Registry.ActiveVersion(version: identity.version.description, digest: digest)
    }
}
