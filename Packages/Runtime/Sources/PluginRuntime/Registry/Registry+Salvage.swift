import PluginCore
import SQLite

/// What a registry that is to be made anew still tells.
struct Salvage {
    /// A version as other tables name it: without a word of what it is.
    struct Name: Hashable {
        let identity: BundleIdentity
        /// The SHA-256 of its seal.
        let digest: String
    }

    /// What is known of a bundle's place among what is active.
    enum Place {
        /// One version is active, and perhaps there is one to go back to.
        case active(Name, previous: Name?)
        /// None is.
        case none
        /// That cannot be read.
        case unknown
    }

    fileprivate(set) var places: [String: Place] = [:]
    /// A Boolean value that indicates whether those are all that there were.
    fileprivate(set) var isWhole = false
    /// What becomes active when a host starts next.
    fileprivate(set) var staged: [String: Name] = [:]
    /// When versions have shown that they run.
    fileprivate(set) var proofs: [Name: Int64] = [:]
    fileprivate(set) var floors: [String: SemanticVersion] = [:]
    fileprivate(set) var quarantine: [QuarantinedVersion] = []
    /// The bundles whose data still has to go.
    fileprivate(set) var erasures: [String] = []
    /// Why bundles are installed.
    fileprivate(set) var reasons: [String: InstallReason] = [:]
    fileprivate(set) var pins: [VersionPin] = []
    /// The bundles that somebody uninstalled by name.
    fileprivate(set) var uninstalled: [String] = []

    func place(of identifier: String) -> Place {
        places[identifier] ?? (isWhole ? .none : .unknown)
    }
}

extension Registry {
    /// What it still tells, row by row. A row that cannot be read costs what it says and nothing else.
    ///
    /// - Throws: ``AtriumError`` when it cannot be read for now, or not by this host: that is no reason to do without it.
    func salvage() throws(AtriumError) -> Salvage {
        var salvage = Salvage()
        let active = try rows("active", "identifier, version, digest, previous_version, previous_digest") { row in
            let identifier = try row[0, as: String.self]
            guard let name = try? Self.name(row, identifier, from: 1) else {
                return (identifier, Salvage.Place.unknown)
            }
            return (identifier, .active(name, previous: try? Self.name(row, identifier, from: 3)))
        }
        salvage.places = Dictionary(active.rows) { $1 }
        salvage.isWhole = active.isWhole
        if active.rows.isEmpty {
            // One that somebody has emptied is whole to SQLite, and tells of nothing that there was.
            let hasBegun = try unlessDamaged { () throws(AtriumError) in try self.hasBegun } ?? false
            salvage.isWhole = active.isWhole && hasBegun
        }
        let staged = try rows("staged", "identifier, version, digest") { row in
            try Self.name(row, try row[0], from: 1)
        }
        salvage.staged = Dictionary(staged.rows.map { ($0.identity.identifier, $0) }) { $1 }
        let proofs = try rows("bundle", "identifier, version, digest, proven_at") { row in
            (try Self.name(row, try row[0], from: 1), try row[3, as: Int64.self])
        }
        salvage.proofs = Dictionary(proofs.rows) { $1 }
        let floors = try rows("floor", "identifier, version") { try Self.identity($0, try $0[0], from: 1) }
        salvage.floors = Dictionary(floors.rows.map { ($0.identifier, $0.version) }, uniquingKeysWith: max)
        salvage.floors.merge(try floorFiles.read(), uniquingKeysWith: max)
        salvage.quarantine = try rows("quarantine", "identifier, version, digest, reason, at") { row in
            let name = try Self.name(row, try row[0], from: 1)
            return QuarantinedVersion(identity: name.identity, digest: name.digest, reason: try row[3], at: try row[4])
        }.rows
        let reasons = try rows("install_reason", "identifier, reason") { row in
            (try row[0, as: String.self], InstallReason(rawValue: try row[1]))
        }
        salvage.reasons = Dictionary(reasons.rows.compactMap { row in row.1.map { (row.0, $0) } }) { $1 }
        salvage.pins = try rows("pin", "identifier, versions, skipped_through", Self.pin).rows
        salvage.uninstalled = try rows("uninstalled", "identifier") { try $0[0, as: String.self] }.rows
        salvage.erasures = try unlessDamaged { () throws(AtriumError) in try erasures() } ?? []
        return salvage
    }

    /// The rows of a table that can be read, and whether there are no others but some that say nothing.
    private func rows<T>(
        _ table: String, _ columns: String, _ value: (borrowing Row) throws -> T
    ) throws(AtriumError) -> (rows: [T], isWhole: Bool) {
        var rows: [T] = []
        let isWhole = try unlessDamaged { () throws(AtriumError) in
            try read { database in
                rows = []
                // In one transaction, so that what is looked at is what was read.
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

    /// What can be read; `nil` of what is damaged.
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
    ) throws -> Salvage.Name {
        Salvage.Name(identity: try identity(row, identifier, from: column), digest: try row[column + 1])
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
