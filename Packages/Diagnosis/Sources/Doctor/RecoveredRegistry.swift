import HostSystem
public import PluginCore
public import Registry
import SQLite

/// The data that can be recovered from a damaged registry.
struct RecoveredRegistry {
    /// The recovered entry of a bundle in the table of active versions.
    enum Place {
        /// A version is active, and another one may be kept for a rollback.
        case active(VersionKey, previous: VersionKey?)
        /// No version is active.
        case none
        /// The entry can't be read.
        case unknown
    }

    var places: [BundleIdentifier: Place] = [:]
    /// A Boolean value that indicates whether all entries could be read.
    var isWhole = false
    /// The staged versions, by identifier.
    var staged: [BundleIdentifier: VersionKey] = [:]
    /// The times when versions have first run successfully.
    var successfulRuns: [VersionKey: Int64] = [:]
    var quarantine: [QuarantinedVersion] = []
    /// The notes about bundles beside their versions.
    var notes: [BundleNotes] = []
    /// The user's choices, as layers keep them.
    var choices: [(key: String, layer: String, owner: BundleIdentifier, json: String)] = []

    func place(of identifier: BundleIdentifier) -> Place {
        places[identifier] ?? (isWhole ? .none : .unknown)
    }
}

extension VersionKey {
    /// Decodes a key from columns whose names, apart from the identifier, may have a prefix.
    fileprivate init?(_ row: borrowing Row, prefix: String = "") throws {
        let (identifier, text): (BundleIdentifier, String) = (try row["identifier"], try row[prefix + "version"])
        guard let version = SemanticVersion(text) else { return nil }
        let identity = BundleIdentity(identifier: identifier, version: version)
        self.init(identity: identity, digest: try row[prefix + "digest"])
    }
}

extension Registry {
    /// Returns the defects that SQLite finds in pages, indices and references of the file; empty for a sound file.
    public func damage() throws(AtriumError) -> [ErrorReason] {
        try read { database in
            let pages = try database.query("PRAGMA integrity_check(20)") { try $0[0, as: String.self] }
            let references = try database.query("PRAGMA foreign_key_check") { row in
                let (table, parent): (String, String) = (try row["table"], try row["parent"])
                return ErrorReason("rowRefersToNothing", ["table": .text(table), "parent": .text(parent)])
            }
            return pages.filter { $0 != "ok" }.map { .verbatim($0) } + references
        } ?? []
    }

    /// Recovers the readable rows of the registry; an unreadable row loses only its own data.
    ///
    /// - Throws: ``AtriumError`` when the registry is temporarily unreadable, or not readable by this host, which is no reason
    ///   to replace it.
    func recoveredContents() throws(AtriumError) -> RecoveredRegistry {
        var contents = RecoveredRegistry()
        let active = try rows("active") { row in
            guard let key = try? VersionKey(row) else {
                return (try row["identifier", as: BundleIdentifier.self], RecoveredRegistry.Place.unknown)
            }
            return (key.identity.identifier, .active(key, previous: try? VersionKey(row, prefix: "previous_")))
        }
        contents.places = Dictionary(active.rows) { $1 }
        contents.isWhole = active.isWhole
        if active.rows.isEmpty {
            // SQLite reports no error for an emptied file, but its contents are lost.
            let hasBegun = try unlessDamaged { () throws(AtriumError) in try self.hasBegun } ?? false
            contents.isWhole = active.isWhole && hasBegun
        }
        let staged = try rows("staged") { try VersionKey($0) }.rows.compactMap(\.self)
        contents.staged = Dictionary(staged.map { ($0.identity.identifier, $0) }) { $1 }
        for bundle: PluginBundle in try rows("bundle", columns: "identifier, json", { try $0.record() }).rows {
            contents.successfulRuns[bundle.key] = bundle.hasRunSince
        }
        contents.quarantine = try rows("quarantine") { try $0.record() }.rows
        contents.notes = try rows("bundle_note") { try $0.record() }.rows
        contents.choices = try rows("layer_record") { row in
            let (key, layer, json): (String, String, String) = (try row["key"], try row["layer"], try row["json"])
            guard layer.hasSuffix(RegistryConnection.choiceEnding), BundleIdentifier(key) != nil,
                (try? StrictJSON.check(Array(json.utf8))) != nil
            else { return nil }
            return (key, layer, try row["owner"], json)
        }.rows.compactMap(\.self)
        return contents
    }

    /// Stores recovered data that doesn't depend on the versions found on the disk.
    func restoreWithoutVersions(_ recovered: RecoveredRegistry) throws(AtriumError) {
        try write { tables in
            for version in recovered.quarantine { try tables.quarantine.set(version) }
            for choice in recovered.choices {
                try tables.connection.set(choice.key, in: choice.layer, of: choice.owner, choice.json)
            }
        }
    }

    /// Stores the recovered notes about bundles, after the versions found on the disk were added.
    func restoreNotes(_ recovered: RecoveredRegistry) throws(AtriumError) {
        try write { tables in
            let present = Set(try tables.versions.all().map(\.identifier))
            for notes in recovered.notes {
                try tables.notes.change(notes.identifier) {
                    $0.restore(notes, isPresent: present.contains(notes.identifier))
                }
            }
        }
    }

    /// Returns the readable rows of a table, and whether the table is undamaged.
    private func rows<T>(
        _ table: String, columns: String = "*", _ value: (borrowing Row) throws -> T
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
                        throw AtriumError(.registryDamaged, table, reason: .verbatim(harm))
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
        do {
            return try read()
        } catch {
            guard error.code == .registryDamaged else { throw error }
            disconnect()
            return nil
        }
    }
}

extension BundleNotes {
    /// Takes over recovered notes, except those that contradict whether the bundle has any version.
    fileprivate mutating func restore(_ recovered: BundleNotes, isPresent: Bool) {
        if isPresent {
            (reason, pinned, skippedThrough) = (recovered.reason, recovered.pinned, recovered.skippedThrough)
        } else {
            isUninstalled = recovered.isUninstalled
        }
        isErased = recovered.isErased
        if let version = recovered.minimumVersion { raise(to: version) }
    }
}
