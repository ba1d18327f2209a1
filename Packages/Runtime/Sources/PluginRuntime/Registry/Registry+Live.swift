import PluginCore
internal import SQLite

/// What a process that runs bundles has to know of changes that others make meanwhile.
extension Registry {
    /// A version, as far as it takes to tell it from another.
    struct ActiveVersion: Hashable, Sendable {
        let version: String
        let digest: String
    }

    /// The state that the registry is in; `nil` when there is none.
    func generation() throws(AtriumError) -> RouteCache.Generation? {
        try readGeneration { _, generation in generation }
    }

    /// The active versions under some identifiers, and the state of the registry that they were read in or before.
    func activeVersions(
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
    /// Returns whether anybody but this registry has written since, or may have.
    func isOthersWork(since before: Self) -> Bool {
        connection != before.connection || version != before.version
    }
}

extension PluginBundle {
    /// As the registry tells versions apart.
    var activeVersion: Registry.ActiveVersion {
        Registry.ActiveVersion(version: identity.version.description, digest: digest)
    }
}
