import BundleFormat
import HostSystem
import PluginCore
import Registry

extension Installer {
    /// Moves a staged version into its final place.
    ///
    /// A folder with its name belongs to the rollback target, or to an install that was never activated. A valid folder stays,
    /// because other processes may use it. An invalid one is swapped, and kept in the staging folder until the registry has
    /// committed.
    ///
    /// - Returns: a closure that moves the version back.
    /// - Throws: ``AtriumError`` with code `sandboxBusy` when the folder is invalid, but a process uses it.
    func place(_ version: PlacedVersion, from staged: FilePath) throws(AtriumError) -> () -> Void {
        let (bundle, made) = (version.bundle, try sandbox.prepare(for: version.manifest))
        let folder = sandbox.folder(of: bundle)
        var lock: FolderLock?
        defer { lock?.release() }
        var undo = { FileSystem.removeIfEmpty(made) }
        do throws(AtriumError) {
            // An active bundle must have its data container, even after a power failure.
            try FileSystem.sync(made: made)
            let isTaken = try FileSystem.item(at: folder) != nil
            let isWhole =
                isTaken ? try SealedFolder(folder, converters: converters).isWhole(as: bundle, in: staged) : false
            if !isWhole {
                if isTaken, try FileSystem.isFolder(folder) {
                    // No process may start to use it.
                    lock = try FolderLock.removal(of: folder)
                    guard lock != nil else {
                        throw AtriumError(
                            .sandboxBusy, sandbox.root, reason: "reinstallInUse",
                            ["bundle": "\(bundle.identity)"])
                    }
                }
                let move = isTaken ? FileSystem.exchange : FileSystem.rename
                try move(staged, folder)
                undo = {
                    try? move(folder, staged)
                    FileSystem.removeIfEmpty(made)
                }
            }
            try FileSystem.sync(folder.parent)
            try FileSystem.sync(folder.parent.parent)
            return undo
        } catch {
            undo()
            throw error
        }
    }
}

extension SealedFolder {
    /// Returns whether the folder equals an extracted package byte by byte: the same seal, signature and set of sealed files.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when a file can't be read, which is no reason
    ///   to replace it.
    func isWhole(as bundle: PluginBundle, in staged: FilePath) throws(AtriumError) -> Bool {
        do {
            let (name, limit) = (Seal.signatureName, SealedPackage.signatureLimit)
            let signature = try bytes(of: name, limit: limit)
            guard try signature == Self(staged).bytes(of: name, limit: limit) else { return false }
            // The signature of the package has been verified.
            let accepting = SignatureVerification { _, _, _, _, _ in }
            return try report(by: accepting, expecting: bundle.digest, forThisHost: true).holds
        } catch {
            if error.isEnvironmental { throw error }
            return false
        }
    }
}

extension SealedPackage {
    /// Checks that a package with libraries has those for this host.
    ///
    /// A package without any library is reported in detail when its libraries are checked.
    ///
    /// - Throws: as ``CatalogPackage/requireBuild(for:)``, and ``AtriumError`` with code `libraryMissing` for a part for other hosts.
    func requireBuild() throws(AtriumError) {
        try manifest.requireBuild(among: seal.platforms)
        guard let own = seal.ownFolder, !platforms.contains(own) else { return }
        throw .otherHost(manifest.identity, platforms, isPart: true)
    }
}

extension Manifest {
    /// Checks that libraries are for a host, which a folder with its compiler and Core ABI is whatever the manifest says.
    ///
    /// - Parameter folders: the platforms and builds of the libraries; none if they are unknown.
    /// - Throws: ``AtriumError`` with code `libraryMissing` and the folders, or `libraryIncompatible`.
    func requireBuild(among folders: [String], for host: LibraryBuild = .host) throws(AtriumError) {
        guard folders.isEmpty || host.folder(among: folders) != nil else { throw .otherHost(identity, folders, host) }
        if !folders.contains(host.folder) { try requireCore(of: host) }
    }
}

extension AtriumError {
    /// The error for a version that has no libraries for a host.
    static func otherHost(
        _ identity: BundleIdentity, _ folders: [String], _ host: LibraryBuild = .host, isPart: Bool = false
    ) -> Self {
        let builds = folders.map { LibraryBuild($0) }
        // Other compilers matter only on the same platform.
        let own = builds.contains { $0.platform == host.platform } ? host.words : host.platform
        let all = builds.map(\.words)
        return isPart
            ? Self(
                .libraryMissing, identity, reason: "otherPlatformPart", ["platforms": .list(all), "host": .text(own)])
            : Self(.libraryMissing, identity, reason: "otherPlatforms", ["platforms": .list(all), "host": .text(own)])
    }
}
