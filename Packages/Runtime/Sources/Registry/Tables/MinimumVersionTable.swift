import HostSystem
public import PluginCore
internal import SQLite

/// The table of minimum versions: for each bundle the highest version that has run here, also after an uninstallation.
///
/// A minimum version never decreases. See ``MinimumVersionFiles`` for the copies that outlive the registry.
public struct MinimumVersionTable: Sendable {
    let connection: RegistryConnection
    var files: MinimumVersionFiles { MinimumVersionFiles(connection.registry.sandbox) }

    /// Returns all minimum versions by identifier, without those that only a file has.
    public func all() throws(AtriumError) -> [BundleIdentifier: SemanticVersion] {
        let rows = try connection.query("SELECT * FROM minimum_version") { try BundleIdentity($0) }
        return Dictionary(rows.map { ($0.identifier, $0.version) }) { $1 }
    }

    /// Returns the minimum version of a bundle.
    ///
    /// - Returns: `nil` when none of its versions has run here.
    public func version(of identifier: BundleIdentifier) throws(AtriumError) -> SemanticVersion? {
        let version = try connection.first("SELECT * FROM minimum_version WHERE identifier = ?", identifier) {
            try BundleIdentity($0).version
        }
        // The copy in the file outlives the registry, which may have been restored from an older backup.
        let kept = try files.minimumVersion(of: identifier)
        return [version, kept].compactMap { $0 }.max()
    }

    /// Raises a bundle's minimum version in the table.
    func raise(to identity: BundleIdentity) throws(AtriumError) {
        let text: String? = try connection.value(
            "SELECT version FROM minimum_version WHERE identifier = ?", identity.identifier)
        // An unreadable one is replaced.
        if let version = text.flatMap({ SemanticVersion($0) }), version >= identity.version { return }
        try connection.execute(
            "INSERT OR REPLACE INTO minimum_version (identifier, version) VALUES (?, ?)", identity.identifier,
            identity.version.description)
    }

    /// Raises the minimum versions in the files, ignoring errors, because the files only matter when the registry is lost.
    package func mirror(_ identities: [BundleIdentity]) {
        for identity in identities { try? files.raise(identity) }
    }
}

extension BundleIdentity {
    /// Decodes an identifier and a version, from columns whose names may have a prefix.
    init(_ row: borrowing Row, prefix: String = "") throws {
        let identifier: BundleIdentifier = try row["identifier"]
        self.init(
            identifier: identifier,
            version: try row.parse(prefix + "version", of: identifier) { SemanticVersion($0) })
    }
}
