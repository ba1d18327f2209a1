import HostSystem
public import PluginCore
import SQLite

/// An entry in the history of an installed bundle.
public struct HistoryEntry: Hashable, Sendable {
    /// The events in the history.
    public enum Event: String, Hashable, Sendable, CaseIterable {
        /// A version became active where none was before.
        case installed
        /// A version replaced another as the active one.
        case updated
        /// The previous version became active again.
        case rolledBack
        /// All versions were removed.
        case uninstalled
        /// A version was added that becomes active when a host starts next.
        case staged
        /// A version was removed from the registry; its files are deleted when no process uses them.
        case pruned
        /// A version was quarantined because it crashed or hung the host.
        case quarantined
        /// A quarantined version was not replaced by another.
        case disabled
        /// A quarantined version was allowed to be installed again.
        case unblocked
    }

    /// The time, in seconds since 1970.
    public let at: Int64
    /// The identifier of the bundle.
    public let identifier: BundleIdentifier
    /// The event.
    public let event: Event
    /// The version that the event is about: the one that became active, was staged, or was removed.
    public let version: String
    /// The version that was active before; `nil` when there was none.
    public let before: String?
    /// The data version of the version; `nil` when it isn't known.
    public let dataVersion: Int?
}

extension HistoryEntry {
    init(_ row: borrowing Row) throws {
        identifier = try row["identifier"]
        event = try row.parse("event", of: identifier) { Event(rawValue: $0) }
        at = try row["at"]
        version = try row["version"]
        before = try row["before"]
        dataVersion = try row["data_version"]
    }
}

/// The table of history entries.
public struct HistoryTable: Sendable {
    let connection: RegistryConnection

    /// Returns the history of one bundle or of all, oldest entries first.
    public func all(of identifier: BundleIdentifier? = nil) throws(AtriumError) -> [HistoryEntry] {
        try connection.query(
            "SELECT * FROM history WHERE ?1 IS NULL OR identifier = ?1 ORDER BY sequence", identifier,
            row: HistoryEntry.init)
    }

    /// Adds an entry.
    ///
    /// - Parameter before: the version that was active before.
    package func add(
        _ event: HistoryEntry.Event, _ identity: BundleIdentity, before: PluginBundle? = nil
    ) throws(AtriumError) {
        try connection.execute(
            """
            INSERT INTO history (at, identifier, event, version, before, data_version) VALUES (?1, ?2, ?3, ?4, ?5,
                (SELECT json ->> 'dataVersion' FROM bundle WHERE identifier = ?2 AND version = ?4))
            """, Clock.now(), identity.identifier, event.rawValue, identity.version.description,
            before?.version.description)
    }

    /// Removes the last entry of a bundle.
    func removeLast(of identifier: BundleIdentifier) throws(AtriumError) {
        try connection.execute(
            "DELETE FROM history WHERE sequence = (SELECT max(sequence) FROM history WHERE identifier = ?)", identifier)
    }
}

/// The table of facts about the registry itself.
package struct StateTable: Sendable {
    let connection: RegistryConnection

    /// Returns the stamp of the packages that ship with the host and were last examined for updates, if any.
    package func builtInStamp() throws(AtriumError) -> String? {
        try connection.value("SELECT value FROM state WHERE fact = 'built-in-stamp'")
    }

    /// Stores the stamp of the packages that ship with the host.
    package func setBuiltInStamp(_ stamp: String) throws(AtriumError) {
        try connection.execute("INSERT OR REPLACE INTO state VALUES ('built-in-stamp', ?)", stamp)
    }

    /// Records that the registry has begun, which distinguishes it from an emptied file.
    func begin() throws(AtriumError) {
        try connection.execute("INSERT OR REPLACE INTO state VALUES ('begun-at', ?)", "\(Clock.now())")
    }
}
