public import PluginCore
public import PluginRouter
internal import SQLite

/// The table of targets, each declared by one bundle, with their actions.
public struct TargetTable {
    let connection: RegistryConnection

    /// Returns a target as declared by the active version of its bundle.
    public func target(named name: String) throws(AtriumError) -> TargetListing? {
        let rows = try connection.query(
            """
            SELECT owner, action.name AS action, exposure FROM target LEFT JOIN action ON target = target.name
            WHERE target.name = ? ORDER BY position
            """, name
        ) { (owner: try $0["owner", as: String.self], action: try Self.action($0)) }
        guard let owner = rows.first?.owner else { return nil }
        return TargetListing(TargetDeclaration(name: name, actions: rows.compactMap(\.action)), owner: owner)
    }

    /// Decodes the action of a row.
    ///
    /// - Returns: `nil` for a target without actions.
    private static func action(_ row: borrowing Row) throws -> ActionDeclaration? {
        guard let name = try row["action", as: String?.self] else { return nil }
        return ActionDeclaration(
            name: name, exposure: try row.parse("exposure", of: name) { Exposure(rawValue: $0) })
    }

    /// Returns all target names, sorted.
    public func targets() throws(AtriumError) -> [String] {
        try connection.query("SELECT name FROM target ORDER BY name") { try $0["name"] }
    }

    /// Checks that no bundle has a target, or only the given one.
    ///
    /// - Throws: ``AtriumError`` with code `targetConflict`.
    func requireFree(_ name: String, for identifier: BundleIdentifier, orOf owner: BundleIdentifier? = nil)
        throws(AtriumError)
    {
        let holder: BundleIdentifier? = try connection.value("SELECT owner FROM target WHERE name = ?", name)
        guard let holder, holder != owner else { return }
        throw .taken(.targetConflict, name, of: identifier, by: holder)
    }

    /// Adds a target of a bundle with its actions.
    ///
    /// - Throws: ``AtriumError`` with code `targetConflict`.
    func add(_ target: TargetDeclaration, of identifier: BundleIdentifier) throws(AtriumError) {
        try requireFree(target.name, for: identifier)
        try connection.execute("INSERT INTO target (name, owner) VALUES (?, ?)", target.name, identifier)
        for (position, action) in target.actions.enumerated() {
            try connection.execute(
                "INSERT INTO action (target, position, name, exposure) VALUES (?, ?, ?, ?)", target.name, position,
                action.name, action.exposure.rawValue)
        }
    }

    /// Removes all targets of a bundle.
    func removeAll(of identifier: BundleIdentifier) throws(AtriumError) {
        try connection.execute(
            "DELETE FROM action WHERE target IN (SELECT name FROM target WHERE owner = ?)", identifier)
        try connection.execute("DELETE FROM target WHERE owner = ?", identifier)
    }
}
