import HostSystem
public import PluginCore
internal import SQLite

/// A limit on the versions to which a bundle is updated.
public struct VersionPin: Hashable, Sendable {
    /// The bundle.
    public let identifier: BundleIdentifier
    /// The range of allowed versions; `nil` when only a rollback limits them.
    public let versions: VersionRange?
    /// The version from which the user rolled back; `nil` after no rollback.
    ///
    /// Neither it nor an earlier version is installed until a newer one is.
    public let skippedThrough: SemanticVersion?

    /// Returns whether the bundle may not be updated to a version.
    public func excludes(_ version: SemanticVersion) -> Bool {
        isOutside(version) || skippedThrough.map { version <= $0 } ?? false
    }

    /// Returns whether a version is outside the range that the user has set.
    package func isOutside(_ version: SemanticVersion) -> Bool { versions.map { !$0.contains(version) } ?? false }

    /// The description of the limit.
    public var reason: ErrorReason? {
        let pin = versions.map { ErrorReason("pinnedTo", ["range": "\($0)"]) }
        let rollback = skippedThrough.map { ErrorReason("rolledBackFrom", ["version": "\($0)"]) }
        guard let pin, let rollback else { return pin ?? rollback }
        return ErrorReason("pinnedAndRolledBack", ["pin": .reason(pin), "rollback": .reason(rollback)])
    }
}

extension VersionPin {
    init(_ row: borrowing Row) throws {
        identifier = try row["identifier"]
        versions = try row.parseIfPresent("versions", of: identifier) { VersionRange($0) }
        skippedThrough = try row.parseIfPresent("skipped_through", of: identifier) { SemanticVersion($0) }
    }
}

/// The table of pins, which are removed with their bundles.
public struct PinTable: Sendable {
    let connection: RegistryConnection

    /// Returns all pins, sorted by identifier.
    public func all() throws(AtriumError) -> [VersionPin] {
        try connection.query("SELECT * FROM pin ORDER BY identifier", row: VersionPin.init)
    }

    /// Returns the pin of a bundle, if any.
    public func pin(of identifier: BundleIdentifier) throws(AtriumError) -> VersionPin? {
        try connection.first("SELECT * FROM pin WHERE identifier = ?", identifier, row: VersionPin.init)
    }

    /// Pins a bundle to a range, in addition to the pin of a rollback.
    package func pin(_ identifier: BundleIdentifier, to versions: VersionRange) throws(AtriumError) {
        try connection.write { tables in
            let skipped = try tables.pins.pin(of: identifier)?.skippedThrough
            try tables.pins.set(VersionPin(identifier: identifier, versions: versions, skippedThrough: skipped))
        }
    }

    /// Removes all pins of a bundle.
    package func remove(_ identifier: BundleIdentifier) throws(AtriumError) {
        try connection.execute("DELETE FROM pin WHERE identifier = ?", identifier)
    }

    /// Stores a pin in place of the bundle's earlier one; a pin without limits is removed.
    func set(_ pin: VersionPin) throws(AtriumError) {
        guard pin.versions != nil || pin.skippedThrough != nil else { return try remove(pin.identifier) }
        try connection.execute(
            "INSERT OR REPLACE INTO pin (identifier, versions, skipped_through, at) VALUES (?, ?, ?, ?)",
            pin.identifier, pin.versions?.description, pin.skippedThrough?.description, Clock.now())
    }

    /// Pins a bundle that is rolled back until a version newer than the one it leaves is installed.
    ///
    /// A change to a newer version removes that pin.
    func addTemporary(_ pinned: BundleIdentity, leaving version: SemanticVersion) throws(AtriumError) {
        let range = try pin(of: pinned.identifier)?.versions
        try set(
            VersionPin(
                identifier: pinned.identifier, versions: range,
                skippedThrough: version > pinned.version ? version : nil))
    }

    /// Removes a rollback's pin when the version that was left, or a newer one, becomes active.
    func removeTemporary(activating identity: BundleIdentity) throws(AtriumError) {
        try removeTemporary(of: identity.identifier) { $0 <= identity.version }
    }

    /// Removes a rollback's pin when a version that it excludes is staged.
    ///
    /// The user has requested that version, and with the pin it would be dropped when a host starts next.
    func removeTemporary(staging identity: BundleIdentity) throws(AtriumError) {
        try removeTemporary(of: identity.identifier) { $0 >= identity.version }
    }

    private func removeTemporary(
        of identifier: BundleIdentifier, if isOver: (SemanticVersion) -> Bool
    ) throws(AtriumError) {
        guard let pin = try pin(of: identifier), let skipped = pin.skippedThrough, isOver(skipped) else { return }
        try set(VersionPin(identifier: identifier, versions: pin.versions, skippedThrough: nil))
    }
}
