import HostSystem
package import PluginCore

/// Copies of the minimum versions in files next to the registry, which survive the loss of the registry.
///
/// There is one file for each bundle, named by its identifier and containing a version such as `1.1.0`. The files are read in
/// addition to the registry, which may have been restored from an older backup, and when a new registry begins.
package struct MinimumVersionFiles: Sendable {
    private let sandbox: Sandbox
    private var folder: FilePath { sandbox.minimumVersions }

    package init(_ sandbox: Sandbox) {
        self.sandbox = sandbox
    }

    /// Reads all minimum versions, ignoring other files.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when they can't be read.
    package func read() throws(AtriumError) -> [BundleIdentifier: SemanticVersion] {
        guard case .folder = try FileSystem.item(at: folder) else { return [:] }
        var minimumVersions: [BundleIdentifier: SemanticVersion] = [:]
        for identifier in try FileSystem.names(in: folder).compactMap({ BundleIdentifier($0) }) {
            minimumVersions[identifier] = try minimumVersion(of: identifier)
        }
        return minimumVersions
    }

    /// Raises a bundle's minimum version, unless it is that high already.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput`, `sandboxUnwritable` or `sandboxBusy`; the file is unchanged then.
    package func raise(_ identity: BundleIdentity) throws {
        func isRaised() throws(AtriumError) -> Bool {
            try minimumVersion(of: identity.identifier).map { $0 >= identity.version } ?? false
        }
        if try isRaised() { return }
        try sandbox.requireOwn([folder])
        try FileSystem.makeFolders(folder)
        try FileSystem.whileLocked(folder) {
            // Another host may have raised it meanwhile.
            if try isRaised() { return }
            let text = "\(identity.version)\n"
            try FileSystem.replace(
                folder.appending(identity.identifier.text), with: Array(text.utf8), mode: 0o644)
        }
    }

    /// Returns the minimum version in a bundle's file.
    ///
    /// - Returns: `nil` when there is none, or the file isn't valid or has more than 4 KiB.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when it can't be read.
    func minimumVersion(of identifier: BundleIdentifier) throws(AtriumError) -> SemanticVersion? {
        let path = folder.appending(identifier.text)
        guard case .file(let bytes, _) = try FileSystem.contents(of: path, limit: 1 << 12) else { return nil }
        return SemanticVersion(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
}
