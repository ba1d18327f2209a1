import FoundationEssentials
import PluginCore
import Registry
import RemoteCatalog
import TUFMetadata
import TUFRepository

/// A published catalog without packages in a folder, all of whose roles have one key.
struct PublishedCatalog {
    let folder: FilePath
    private let key: SecretKey

    /// Publishes the catalog, with a timestamp that is valid for a day.
    init(at folder: FilePath) throws {
        self.folder = folder
        key = try SecretKey.generate(.ed25519)
        var editor = try RepositoryEditor(folder: folder.string)
        for role in TopLevelRole.allCases { try editor.setKeys([key.publicKey], threshold: 1, of: role) }
        try editor.publish(signedBy: [key])
    }

    /// The first root, which a host pins.
    var root: FilePath { folder.appending("metadata/1.root.json") }

    /// Signs a new timestamp.
    ///
    /// - Parameter days: The days for which it is valid; 0 for one that has expired.
    func renew(for days: Int) throws {
        var editor = try RepositoryEditor(folder: folder.string)
        editor.lifetimes.timestamp = days
        try editor.publish(signedBy: [key])
    }

    /// Replaces the timestamp that a host has saved by the newest one, as if the host had fetched it before it expired.
    func save(timestampIn sandbox: Sandbox) throws {
        let saved = try RemoteCatalogSettings(address: .folder(folder), catalogs: sandbox.catalogs).folder
        try Data(contentsOf: URL(filePath: folder.appending("metadata/timestamp.json").string)).write(
            to: URL(filePath: saved.appending("metadata/timestamp.json").string))
    }
}
