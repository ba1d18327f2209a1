import HostSystem
public import PluginCore
package import SQLite

/// The reasons why a bundle is installed.
public enum InstallReason: String, Hashable, Sendable, CaseIterable {
    /// A user installed it by name.
    case requested
    /// Another bundle requires it.
    case required
    /// An address or a call needed it.
    case onDemand
}

/// The table of install reasons.
public struct InstallReasonTable: Sendable {
    let connection: RegistryConnection

    /// Returns the reasons for the installed bundles, by identifier.
    public func all() throws(AtriumError) -> [BundleIdentifier: InstallReason] {
        let rows = try connection.query("SELECT * FROM install_reason", row: Self.entry)
        return Dictionary(rows) { $1 }
    }

    /// Decodes the identifier and the reason of a row.
    package static func entry(_ row: borrowing Row) throws -> (BundleIdentifier, InstallReason) {
        let identifier: BundleIdentifier = try row["identifier"]
        return (identifier, try row.parse("reason", of: identifier) { InstallReason(rawValue: $0) })
    }

    /// Stores the reason for a bundle, unless there is an earlier one; a request by name replaces any.
    func set(_ reason: InstallReason, of identifier: BundleIdentifier) throws(AtriumError) {
        try store(reason, of: identifier, replacing: reason == .requested)
        try connection.uninstalled.remove(identifier)
    }

    /// Stores a reason, in place of an earlier one or only if there is none.
    package func store(_ reason: InstallReason, of identifier: BundleIdentifier, replacing: Bool) throws(AtriumError) {
        try connection.execute(
            "INSERT OR \(replacing ? "REPLACE" : "IGNORE") INTO install_reason (identifier, reason) VALUES (?, ?)",
            identifier, reason.rawValue)
    }

    /// Removes the reason for a bundle.
    func remove(_ identifier: BundleIdentifier) throws(AtriumError) {
        try connection.execute("DELETE FROM install_reason WHERE identifier = ?", identifier)
    }
}

/// The bundles installed on demand that no user has requested by name and that haven't run yet, with tokens of their installs.
///
/// A token is stored in the transaction that activates a bundle. While it exists, the on-demand install that added the bundle may
/// remove it again.
package struct OnDemandInstallTable: Sendable {
    let connection: RegistryConnection

    /// Returns the token of the on-demand install that added a bundle.
    ///
    /// - Returns: `nil` once a user has requested it by name, or it has run.
    package func token(of identifier: BundleIdentifier) throws(AtriumError) -> String? {
        try connection.value("SELECT token FROM on_demand_install WHERE identifier = ?", identifier)
    }

    /// Stores or removes the token of a bundle.
    func set(_ token: String?, of identifier: BundleIdentifier) throws(AtriumError) {
        if let token {
            try connection.execute(
                "INSERT OR REPLACE INTO on_demand_install (identifier, token) VALUES (?, ?)", identifier, token)
        } else {
            try connection.execute("DELETE FROM on_demand_install WHERE identifier = ?", identifier)
        }
    }

    /// Checks, in the transaction that removes a bundle, that it still belongs to the on-demand install.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNeeded`.
    func require(_ token: String, of identifier: BundleIdentifier) throws(AtriumError) {
        guard try self.token(of: identifier) == token else {
            throw AtriumError(.bundleNeeded, identifier, reason: "requestedMeanwhile")
        }
    }
}

/// The table of bundles that a user has uninstalled by name.
///
/// They aren't installed on demand again without a question.
public struct UninstalledTable: Sendable {
    let connection: RegistryConnection

    /// Returns the bundles that haven't been installed since.
    public func all() throws(AtriumError) -> Set<BundleIdentifier> {
        Set(try connection.query("SELECT identifier FROM uninstalled") { try $0["identifier"] })
    }

    package func add(_ identifier: BundleIdentifier) throws(AtriumError) {
        try connection.execute(
            "INSERT OR REPLACE INTO uninstalled (identifier, at) VALUES (?, ?)", identifier, Clock.now())
    }

    func remove(_ identifier: BundleIdentifier) throws(AtriumError) {
        try connection.execute("DELETE FROM uninstalled WHERE identifier = ?", identifier)
    }
}

/// The table of bundles whose data is to be deleted.
///
/// They are recorded with their removal, so that an interrupted deletion is completed later.
package struct ErasureTable: Sendable {
    let connection: RegistryConnection

    /// Returns the bundles whose data is still to be deleted, sorted.
    package func all() throws(AtriumError) -> [BundleIdentifier] {
        try connection.query("SELECT identifier FROM pending_erasure ORDER BY identifier") { try $0["identifier"] }
    }

    /// Adds bundles.
    package func add(_ identifiers: [BundleIdentifier]) throws(AtriumError) {
        try connection.execute(
            "INSERT OR IGNORE INTO pending_erasure SELECT value FROM json_each(?)", RecordJSON.list(identifiers))
    }

    /// Removes bundles.
    package func remove(_ identifiers: [BundleIdentifier]) throws(AtriumError) {
        try connection.execute(
            "DELETE FROM pending_erasure WHERE identifier IN (SELECT value FROM json_each(?))",
            RecordJSON.list(identifiers))
    }
}

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
    package init(_ row: borrowing Row) throws {
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
    package func set(_ pin: VersionPin) throws(AtriumError) {
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
