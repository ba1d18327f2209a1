import PluginCore

/// The floors once more, in a file for each bundle beside the registry, so that they outlive it. Each file is one version, such as
/// `1.1.0`; its name is the bundle's identifier.
///
/// Only who rebuilds a registry reads them.
struct FloorFiles: Sendable {
    /// Larger files, in bytes, are none of ours.
    private static let sizeLimit = 1 << 12

    private let folder: FilePath

    init(_ sandbox: Sandbox) {
        folder = sandbox.floors
    }

    /// What all of them say; nothing of what can not be read.
    func read() -> [String: SemanticVersion] {
        var floors: [String: SemanticVersion] = [:]
        for identifier in (try? FileSystem.names(in: folder)) ?? [] where ManifestRules.isIdentifier(identifier) {
            floors[identifier] = try? floor(of: identifier)
        }
        return floors
    }

    /// Raises a floor; one that is higher already stays.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput`, `sandboxUnwritable` or `sandboxBusy`; the floor is then as it was.
    func raise(_ identity: BundleIdentity) throws {
        if let floor = try floor(of: identity.identifier), floor >= identity.version { return }
        try FileSystem.makeFolders(folder)
        try FileSystem.whileLocked(folder) {
            // Another host may have been quicker.
            if let floor = try floor(of: identity.identifier), floor >= identity.version { return }
            let text = "\(identity.version)\n"
            try FileSystem.replace(folder.appending(identity.identifier), with: Array(text.utf8), mode: 0o644)
        }
    }

    /// What a bundle's file says; `nil` when there is none, or it is none of ours.
    private func floor(of identifier: String) throws(AtriumError) -> SemanticVersion? {
        let path = folder.appending(identifier)
        guard try FileSystem.certainItem(at: path) != nil else { return nil }
        let text = String(decoding: try FileSystem.bytes(of: path, limit: Self.sizeLimit), as: UTF8.self)
        return SemanticVersion(String(text.prefix { $0 != "\n" }))
    }
}
