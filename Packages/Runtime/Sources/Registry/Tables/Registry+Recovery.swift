package import PluginCore
import SQLite

/// The data that can be recovered from a damaged registry.
package struct RecoveredRegistry {
    /// A reference to a version in another table.
    package struct Name: Hashable {
        package let identity: BundleIdentity
        /// The SHA-256 of its seal.
        package let digest: String

        package init(identity: BundleIdentity, digest: String) {
            self.identity = identity
            self.digest = digest
        }
    }

    /// The recovered entry of a bundle in the table of active versions.
    package enum Place {
        /// A version is active, and another one may be kept for a rollback.
        case active(Name, previous: Name?)
        /// No version is active.
        case none
        /// The entry can't be read.
        case unknown
    }

    package fileprivate(set) var places: [String: Place] = [:]
    /// A Boolean value that indicates whether all entries could be read.
    fileprivate(set) var isWhole = false
    /// The staged versions, by identifier.
    package fileprivate(set) var staged: [String: Name] = [:]
    /// The times when versions have first run successfully.
    package fileprivate(set) var successfulRuns: [Name: Int64] = [:]
    package fileprivate(set) var minimumVersions: [String: SemanticVersion] = [:]
    package fileprivate(set) var quarantine: [QuarantinedVersion] = []
    /// The bundles whose data is still to be deleted.
    package fileprivate(set) var erasures: [String] = []
    /// The reasons for installed bundles.
    package fileprivate(set) var reasons: [String: InstallReason] = [:]
    package fileprivate(set) var pins: [VersionPin] = []
    /// The bundles that a user uninstalled by name.
    package fileprivate(set) var uninstalled: [String] = []

    package func place(of identifier: String) -> Place {
        places[identifier] ?? (isWhole ? .none : .unknown)
    }
}

extension Registry {
    /// Recovers the readable rows of the registry; an unreadable row loses only its own data.
    ///
    /// - Throws: ``AtriumError`` when the registry is temporarily unreadable, or not readable by this host, which is no reason
    ///   to replace it.
    package func recoveredContents() throws(AtriumError) -> RecoveredRegistry {
        var recoveredContents = RecoveredRegistry()
        let active = try rows("active", "identifier, version, digest, previous_version, previous_digest") { row in
            let identifier = try row[0, as: String.self]
            guard let name = try? Self.name(row, identifier, from: 1) else {
                return (identifier, RecoveredRegistry.Place.unknown)
            }
            return (identifier, .active(name, previous: try? Self.name(row, identifier, from: 3)))
        }
        recoveredContents.places = Dictionary(active.rows) { $1 }
        recoveredContents.isWhole = active.isWhole
        if active.rows.isEmpty {
            // SQLite reports no error for an emptied file, but its contents are lost.
            let hasBegun = try unlessDamaged { () throws(AtriumError) in try self.hasBegun } ?? false
            recoveredContents.isWhole = active.isWhole && hasBegun
        }
        let staged = try rows("staged", "identifier, version, digest") { row in
            try Self.name(row, try row[0], from: 1)
        }
        recoveredContents.staged = Dictionary(staged.rows.map { ($0.identity.identifier, $0) }) { $1 }
        let successfulRuns = try rows("bundle", "identifier, version, digest, proven_at") { row in
            (try Self.name(row, try row[0], from: 1), try row[3, as: Int64.self])
        }
        recoveredContents.successfulRuns = Dictionary(successfulRuns.rows) { $1 }
        let minimumVersions = try rows("floor", "identifier, version") { try Self.identity($0, try $0[0], from: 1) }
        recoveredContents.minimumVersions = Dictionary(
            minimumVersions.rows.map { ($0.identifier, $0.version) }, uniquingKeysWith: max)
        recoveredContents.minimumVersions.merge(try minimumVersionFiles.read(), uniquingKeysWith: max)
        recoveredContents.quarantine = try rows("quarantine", "identifier, version, digest, reason, at") { row in
            let name = try Self.name(row, try row[0], from: 1)
            return QuarantinedVersion(identity: name.identity, digest: name.digest, reason: try row[3], at: try row[4])
        }.rows
        let reasons = try rows("install_reason", "identifier, reason") { row in
            (try row[0, as: String.self], InstallReason(rawValue: try row[1]))
        }
        recoveredContents.reasons = Dictionary(reasons.rows.compactMap { row in row.1.map { (row.0, $0) } }) { $1 }
        recoveredContents.pins = try rows("pin", "identifier, versions, skipped_through", Self.pin).rows
        recoveredContents.uninstalled = try rows("uninstalled", "identifier") { try $0[0, as: String.self] }.rows
        recoveredContents.erasures = try unlessDamaged { () throws(AtriumError) in try erasures() } ?? []
        return recoveredContents
    }

    /// Returns the readable rows of a table, and whether the table is undamaged.
    private func rows<T>(
        _ table: String, _ columns: String, _ value: (borrowing Row) throws -> T
    ) throws(AtriumError) -> (rows: [T], isWhole: Bool) {
        var rows: [T] = []
        let isWhole = try unlessDamaged { () throws(AtriumError) in
            try read { database in
                rows = []
                // In one transaction, so that the integrity check covers the rows that were read.
                try database.transaction(.deferred) {
                    _ = try database.query("SELECT \(columns) FROM \(table)") { row in
                        if let value = try? value(row) { rows.append(value) }
                    }
                    let harms = try database.query("PRAGMA integrity_check(\(table))") { try $0[0, as: String.self] }
                    if let harm = harms.first(where: { $0 != "ok" }) {
                        throw AtriumError(.registryDamaged, table, detail: harm)
                    }
                }
                return true
            } ?? false
        }
        return (rows, isWhole ?? false)
    }

    /// Runs a read, ignoring damage.
    ///
    /// - Returns: `nil` when the registry is damaged there.
    private func unlessDamaged<T>(_ read: () throws(AtriumError) -> T) throws(AtriumError) -> T? {
        do throws(AtriumError) {
            return try read()
        } catch {
            guard error.code == .registryDamaged else { throw error }
            disconnect()
            return nil
        }
    }

    private static func name(
        _ row: borrowing Row, _ identifier: String, from column: Int
    ) throws -> RecoveredRegistry.Name {
        RecoveredRegistry.Name(identity: try identity(row, identifier, from: column), digest: try row[column + 1])
    }

    private static func identity(
        _ row: borrowing Row, _ identifier: String, from column: Int
    ) throws -> BundleIdentity {
        let text = try row[column, as: String.self]
        guard let version = SemanticVersion(text) else {
            throw AtriumError(.registryDamaged, identifier, detail: "version \"\(text)\" cannot be read")
        }
        return BundleIdentity(identifier: identifier, version: version)
    }
}
