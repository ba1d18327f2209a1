public import PluginCore
public import PluginRouter
internal import SQLite

/// The target directory of the mediator, which queries the registry like the router.
extension Registry: TargetDirectory {
    /// Returns a target as declared by the active version of its bundle.
    public func target(named name: String) throws(AtriumError) -> TargetListing? {
        let rows =
            try read { database in
                try database.query(
                    """
                    SELECT owner, action.name, exposure FROM target LEFT JOIN action ON target = target.name
                    WHERE target.name = ? ORDER BY position
                    """, name
                ) { (owner: try $0[0, as: String.self], action: try Self.action($0, from: 1)) }
            } ?? []
        guard let owner = rows.first?.owner else { return nil }
        return TargetListing(TargetDeclaration(name: name, actions: rows.compactMap(\.action)), owner: owner)
    }

    /// Returns all target names, sorted.
    public func targets() throws(AtriumError) -> [String] {
        try read { database in
            try database.query("SELECT name FROM target ORDER BY name") { try $0[0, as: String.self] }
        } ?? []
    }

    /// Returns the action of a row.
    ///
    /// - Returns: `nil` for a target without actions.
    private static func action(_ row: borrowing Row, from column: Int) throws -> ActionDeclaration? {
        guard let name = try row[column, as: String?.self] else { return nil }
        return ActionDeclaration(name: name, exposure: try exposure(row[column + 1, as: String.self], of: name))
    }
}
