public import PluginCore
import SQLite

/// Pins: limits to the versions that a bundle moves to. They go with the bundle.
extension Registry {
    /// All pins, by identifier.
    public func pins() throws(AtriumError) -> [VersionPin] {
        try read { database in
            try database.query(
                "SELECT identifier, versions, skipped_through FROM pin ORDER BY identifier", row: Self.pin)
        } ?? []
    }

    /// The pin of a bundle; `nil` for none.
    public func pin(of identifier: String) throws(AtriumError) -> VersionPin? {
        try read { try Self.pin(of: identifier, in: $0) } ?? nil
    }

    /// Limits a bundle to a range; a rollback's limit stays.
    func pin(_ identifier: String, to versions: VersionRange) throws(AtriumError) {
        try write { database in
            let skipped = try Self.pin(of: identifier, in: database)?.skippedThrough
            try Self.set(
                VersionPin(identifier: identifier, versions: versions, skippedThrough: skipped), in: database)
        }
    }

    /// Takes all limits from a bundle.
    func unpin(_ identifier: String) throws(AtriumError) {
        try write { _ = try $0.execute("DELETE FROM pin WHERE identifier = ?", identifier) }
    }

    /// Holds a bundle back that is rolled back, until a version newer than the one it leaves is installed. One that goes forward
    /// again is held back no more.
    static func hold(_ pinned: BundleIdentity, leaving version: SemanticVersion, in database: Database) throws {
        let range = try pin(of: pinned.identifier, in: database)?.versions
        try set(
            VersionPin(
                identifier: pinned.identifier, versions: range,
                skippedThrough: version > pinned.version ? version : nil), in: database)
    }

    /// Ends the limit of a rollback, within the transaction that makes the version that was left active, or a newer one.
    static func endHold(by identity: BundleIdentity, in database: Database) throws {
        try endHold(of: identity.identifier, in: database) { $0 <= identity.version }
    }

    /// Ends the limit of a rollback, within the transaction that stages a version which it skips: the user has named it, and it would be
    /// dropped when a host starts next.
    static func endHold(staging identity: BundleIdentity, in database: Database) throws {
        try endHold(of: identity.identifier, in: database) { $0 >= identity.version }
    }

    private static func endHold(
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
