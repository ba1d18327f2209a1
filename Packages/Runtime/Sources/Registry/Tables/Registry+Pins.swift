import HostSystem
public import PluginCore
import SQLite

/// Pins: limits on the versions to which a bundle is updated; they are removed with the bundle.
extension Registry {
    /// Returns all pins, sorted by identifier.
    public func pins() throws(AtriumError) -> [VersionPin] {
        try read { database in
            try database.query(
                "SELECT identifier, versions, skipped_through FROM pin ORDER BY identifier", row: Self.pin)
        } ?? []
    }

    /// Returns the pin of a bundle, if any.
    public func pin(of identifier: String) throws(AtriumError) -> VersionPin? {
        try read { try Self.pin(of: identifier, in: $0) } ?? nil
    }

    /// Pins a bundle to a range, in addition to the pin of a rollback.
    package func pin(_ identifier: String, to versions: VersionRange) throws(AtriumError) {
        try write { database in
            let skipped = try Self.pin(of: identifier, in: database)?.skippedThrough
            try Self.set(
                VersionPin(identifier: identifier, versions: versions, skippedThrough: skipped), in: database)
        }
    }

    /// Removes all pins of a bundle.
    package func unpin(_ identifier: String) throws(AtriumError) {
        try write { _ = try $0.execute("DELETE FROM pin WHERE identifier = ?", identifier) }
    }

    /// Pins a bundle that is rolled back until a version newer than the one it leaves is installed.
    ///
    /// A change to a newer version removes that pin.
    static func addTemporaryPin(_ pinned: BundleIdentity, leaving version: SemanticVersion, in database: Database)
        throws
    {
        let range = try pin(of: pinned.identifier, in: database)?.versions
        try set(
            VersionPin(
                identifier: pinned.identifier, versions: range,
                skippedThrough: version > pinned.version ? version : nil), in: database)
    }

    /// Removes a rollback's pin when the version that was left, or a newer one, becomes active.
    static func removeTemporaryPin(by identity: BundleIdentity, in database: Database) throws {
        try removeTemporaryPin(of: identity.identifier, in: database) { $0 <= identity.version }
    }

    /// Removes a rollback's pin when a version that it excludes is staged.
    ///
    /// The user has requested that version, and with the pin it would be dropped when a host starts next.
    static func removeTemporaryPin(staging identity: BundleIdentity, in database: Database) throws {
        try removeTemporaryPin(of: identity.identifier, in: database) { $0 >= identity.version }
    }

    private static func removeTemporaryPin(
        of identifier: String, in database: Database, if isOver: (SemanticVersion) -> Bool
    ) throws {
        guard let pin = try pin(of: identifier, in: database), let skipped = pin.skippedThrough, isOver(skipped) else {
            return
        }
        try set(VersionPin(identifier: pin.identifier, versions: pin.versions, skippedThrough: nil), in: database)
    }

    static func set(_ pin: VersionPin, in database: Database) throws {
        guard pin.versions != nil || pin.skippedThrough != nil else {
            try database.execute("DELETE FROM pin WHERE identifier = ?", pin.identifier)
            return
        }
        try database.execute(
            "INSERT OR REPLACE INTO pin VALUES (?, ?, ?, ?)", pin.identifier, pin.versions?.description,
            pin.skippedThrough?.description, Clock.now())
    }

    private static func pin(of identifier: String, in database: Database) throws -> VersionPin? {
        try database.first(
            "SELECT identifier, versions, skipped_through FROM pin WHERE identifier = ?", identifier, row: pin)
    }

    static func pin(_ row: borrowing Row) throws -> VersionPin {
        let identifier = try row[0, as: String.self]
        let (range, skipped) = (try row[1, as: String?.self], try row[2, as: String?.self])
        let pin = VersionPin(
            identifier: identifier, versions: range.flatMap { VersionRange($0) },
            skippedThrough: skipped.flatMap { SemanticVersion($0) })
        guard (range == nil) == (pin.versions == nil), (skipped == nil) == (pin.skippedThrough == nil) else {
            throw AtriumError(.registryDamaged, identifier, detail: "its pin cannot be read")
        }
        return pin
    }
}
