import PluginCore

/// The floors once more, in a file for each bundle beside the registry, so that they outlive it. Each file is one version, such as
/// `1.1.0`; its name is the bundle's identifier.
///
/// They are read beside the registry, which may be an older one that somebody has brought back, and when it begins.
struct FloorFiles: Sendable {
    /// Larger files, in bytes, are none of ours.
    private static let sizeLimit = 1 << 12

    private let sandbox: Sandbox
    private var folder: FilePath { sandbox.floors }

    init(_ sandbox: Sandbox) {
        self.sandbox = sandbox
    }

    /// What all of them say; nothing of what is none of ours.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when they cannot be read.
    func read() throws(AtriumError) -> [String: SemanticVersion] {
        guard case .folder = try FileSystem.item(at: folder) else { return [:] }
        var floors: [String: SemanticVersion] = [:]
        for identifier in try FileSystem.names(in: folder) {
            floors[identifier] = try floor(of: identifier)
        }
        return floors
    }

    /// Raises a floor; one that is higher already stays.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput`, `sandboxUnwritable` or `sandboxBusy`; the floor is then as it was.
    func raise(_ identity: BundleIdentity) throws {
        if let floor = try floor(of: identity.identifier), floor >= identity.version { return }
        try sandbox.requireOwn([folder])
        try FileSystem.makeFolders(folder)
        try FileSystem.whileLocked(folder) {
            // Another host may have been quicker.
            if let floor = try floor(of: identity.identifier), floor >= identity.version { return }
            let text = "\(identity.version)\n"
            try FileSystem.replace(try sandbox.floor(of: identity.identifier), with: Array(text.utf8), mode: 0o644)
        }
    }

    /// What a bundle's file says; `nil` when there is none, or it is none of ours.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when it cannot be read.
    func floor(of identifier: String) throws(AtriumError) -> SemanticVersion? {
        guard let path = try? sandbox.floor(of: identifier),
            case .file(let size, _) = try FileSystem.item(at: path), size <= Self.sizeLimit
        else { return nil }
        let text = String(decoding: try FileSystem.bytes(of: path, limit: Self.sizeLimit), as: UTF8.self)
        return SemanticVersion(String(text.prefix { $0 != "\n" }))
    }
}
