public import PluginCore
internal import SQLite

/// The table of the extension points of active versions. The standard points are not in it.
public struct ExtensionPointTable: Sendable {
    let connection: RegistryConnection

    /// Returns the points by the bundles that declare them, sorted.
    public func all() throws(AtriumError) -> [(point: ExtensionPointDeclaration, bundle: BundleIdentifier)] {
        try connection.query("SELECT * FROM extension_point ORDER BY identifier") { row in
            (try Self.point(row), try row["owner"])
        }
    }

    /// Returns a standard point, or one of an active version.
    public func point(_ identifier: String) throws(AtriumError) -> ExtensionPointDeclaration? {
        if let standard = ExtensionPoints.standard.first(where: { $0.identifier == identifier }) { return standard }
        return try connection.first(
            "SELECT * FROM extension_point WHERE identifier = ?", identifier, row: Self.point)
    }

    /// Decodes the point of a row.
    private static func point(_ row: borrowing Row) throws -> ExtensionPointDeclaration {
        ExtensionPointDeclaration(
            identifier: try row["identifier"],
            limits: ExtensionLimits(
                start: try row["start"], request: try row["request"], end: try row["end"], idle: try row["idle"],
                memory: try row["memory"], fileSize: try row["file_size"], openFiles: try row["open_files"]))
    }

    /// Checks that no bundle has a point, or only the given one.
    ///
    /// - Throws: ``AtriumError`` with code `extensionConflict`.
    func requireFree(
        _ point: ExtensionPointDeclaration, for identifier: BundleIdentifier, orOf owner: BundleIdentifier? = nil
    ) throws(AtriumError) {
        let holder: BundleIdentifier? = try connection.value(
            "SELECT owner FROM extension_point WHERE identifier = ?", point.identifier)
        guard let holder, holder != owner else { return }
        throw .taken(.extensionConflict, point.identifier, of: identifier, by: holder)
    }

    /// Adds a point of a bundle.
    ///
    /// - Throws: ``AtriumError`` with code `extensionConflict`.
    func add(_ point: ExtensionPointDeclaration, of identifier: BundleIdentifier) throws(AtriumError) {
        try requireFree(point, for: identifier)
        let limits = point.limits
        try connection.execute(
            """
            INSERT INTO extension_point (identifier, owner, start, request, "end", idle, memory, file_size, open_files)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            point.identifier, identifier, limits.start, limits.request, limits.end, limits.idle, limits.memory,
            limits.fileSize, limits.openFiles)
    }

    /// Removes all points of a bundle.
    func removeAll(of identifier: BundleIdentifier) throws(AtriumError) {
        try connection.execute("DELETE FROM extension_point WHERE owner = ?", identifier)
    }
}
