import HostSystem
public import PluginCore
import SQLite

/// The notes of the registry about a bundle beside its versions. Some stay after the bundle was removed.
public struct BundleNotes: Hashable, Sendable, Codable {
    /// The bundle.
    public let identifier: BundleIdentifier
    /// The reason for which the bundle is installed.
    public package(set) var reason: InstallReason?
    /// The range to which a user has pinned the bundle.
    package var pinned: VersionRange?
    /// The version from which a user has rolled back.
    package var skippedThrough: SemanticVersion?
    /// The token of the on-demand install that added the bundle and may remove it again, until a user requests the bundle or it has run.
    package var installToken: String?
    /// `true` if a user has uninstalled the bundle by name, so that it isn't installed on demand again without a question.
    package var isUninstalled = false
    /// `true` if the bundle's data is to be deleted, recorded with the removal, so that an interrupted deletion is completed later.
    package var isErased = false
    /// The highest version that has run here. It never decreases.
    public package(set) var minimumVersion: SemanticVersion?

    /// The limit on updates, if there is one.
    public var pin: VersionPin? {
        if pinned == nil, skippedThrough == nil { return nil }
        return VersionPin(identifier: identifier, versions: pinned, skippedThrough: skippedThrough)
    }

    /// Stores the reason for an installation, unless there is an earlier one; a request by name replaces any.
    package mutating func install(because reason: InstallReason) {
        if reason == .requested || self.reason == nil { self.reason = reason }
        isUninstalled = false
    }

    /// Removes what only matters while the bundle is active or staged.
    mutating func forget() { (reason, pinned, skippedThrough) = (nil, nil, nil) }

    /// Raises the minimum version.
    package mutating func raise(to version: SemanticVersion) {
        minimumVersion = max(minimumVersion ?? version, version)
    }
}

/// The table of notes about bundles, which has a row for each bundle with any.
public struct NoteTable: Sendable {
    let connection: RegistryConnection

    /// The condition of the notes with a limit or a mark, of which there are few, and which have an index.
    static let hasMark = """
        json ->> 'pinned' IS NOT NULL OR json ->> 'skippedThrough' IS NOT NULL OR json ->> 'isUninstalled'
            OR json ->> 'isErased'
        """

    /// Returns the notes about all bundles, by identifier and without the minimum versions that only a file has.
    public func all() throws(AtriumError) -> [BundleIdentifier: BundleNotes] { try all("TRUE") }

    private func all(_ condition: String) throws(AtriumError) -> [BundleIdentifier: BundleNotes] {
        let notes: [BundleNotes] = try connection.records("SELECT * FROM bundle_note WHERE \(condition)")
        return Dictionary(notes.map { ($0.identifier, $0) }) { $1 }
    }

    /// Returns the notes about a bundle.
    public func notes(about identifier: BundleIdentifier) throws(AtriumError) -> BundleNotes {
        let notes: [BundleNotes] = try connection.records(
            "SELECT * FROM bundle_note WHERE identifier = ?", identifier)
        return notes.first ?? BundleNotes(identifier: identifier)
    }

    /// Changes the notes about a bundle, in the surrounding transaction or a new one.
    package func change(
        _ identifier: BundleIdentifier, _ body: (inout BundleNotes) -> Void
    ) throws(AtriumError) {
        try connection.write { tables in
            let before = try tables.notes.notes(about: identifier)
            var notes = before
            body(&notes)
            if notes != before { try tables.notes.set(notes) }
        }
    }

    /// Stores the notes about a bundle, if there are any.
    func set(_ notes: BundleNotes) throws(AtriumError) {
        if notes == BundleNotes(identifier: notes.identifier) {
            return try connection.execute("DELETE FROM bundle_note WHERE identifier = ?", notes.identifier)
        }
        try connection.execute(
            "INSERT OR REPLACE INTO bundle_note VALUES (?, ?)", notes.identifier, RecordJSON.text(of: notes))
    }

    /// Returns the limits on updates, by identifier.
    public func pins() throws(AtriumError) -> [BundleIdentifier: VersionPin] {
        try all(Self.hasMark).compactMapValues(\.pin)
    }

    /// Returns the reasons for the installed bundles, by identifier.
    public func reasons() throws(AtriumError) -> [BundleIdentifier: InstallReason] {
        try all().compactMapValues(\.reason)
    }

    /// Returns the bundles that a user has uninstalled by name and that haven't been installed since.
    public func uninstalled() throws(AtriumError) -> Set<BundleIdentifier> {
        Set(try all(Self.hasMark).filter(\.value.isUninstalled).keys)
    }

    /// Returns the bundles whose data is still to be deleted, sorted.
    package func erased() throws(AtriumError) -> [BundleIdentifier] {
        try all(Self.hasMark).filter(\.value.isErased).keys.sorted()
    }

    /// Returns the highest version of a bundle that has run here, also before an uninstallation or the loss of the registry.
    ///
    /// - Returns: `nil` when none of its versions has run here.
    public func minimumVersion(of identifier: BundleIdentifier) throws(AtriumError) -> SemanticVersion? {
        // The copy in the file outlives the registry, which may have been restored from an older backup.
        let kept = try MinimumVersionFiles(connection.registry.sandbox).minimumVersion(of: identifier)
        return [try notes(about: identifier).minimumVersion, kept].compactMap(\.self).max()
    }
}
