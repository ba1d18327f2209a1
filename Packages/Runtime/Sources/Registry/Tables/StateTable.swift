import HostSystem
package import PluginCore
internal import SQLite

/// The table of facts about the registry itself, which has at most one row.
package struct StateTable: Sendable {
    let connection: RegistryConnection

    /// Returns the stamp of the packages that ship with the host and were last examined for updates, if any.
    package func builtInStamp() throws(AtriumError) -> String? {
        try connection.value("SELECT built_in_stamp FROM state", as: String?.self) ?? nil
    }

    /// Stores the stamp of the packages that ship with the host.
    package func setBuiltInStamp(_ stamp: String) throws(AtriumError) {
        try connection.execute(
            """
            INSERT INTO state (id, built_in_stamp) VALUES (1, ?1)
            ON CONFLICT (id) DO UPDATE SET built_in_stamp = ?1
            """, stamp)
    }

    /// Records that the registry has begun, which distinguishes it from an emptied file.
    func begin() throws(AtriumError) {
        try connection.execute(
            "INSERT INTO state (id, begun_at) VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET begun_at = ?1", Clock.now())
    }
}
