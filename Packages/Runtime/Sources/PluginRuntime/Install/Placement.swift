import BundleFormat
import HostSystem
import PluginCore
import Registry

/// The move of a staged folder to its final place, which can be undone.
struct Placement {
    private let staged: FilePath
    private let folder: FilePath
    /// A Boolean value that indicates whether an invalid and unused folder in the final place is swapped with the staged one.
    ///
    /// `nil` if the version was in place already.
    private let isExchange: Bool?
    /// The folders that were created for it, outermost first.
    private let made: [FilePath]

    /// Moves a staged version into place.
    ///
    /// A folder with its name belongs to the rollback target, or to an install that was never activated. A valid folder stays,
    /// because other processes may use it. An invalid one is swapped, and kept in the staging folder until the registry has
    /// committed.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxBusy` when the folder is invalid, but a process uses it.
    init(of version: PlacedVersion, from staged: FilePath, in sandbox: Sandbox) throws(AtriumError) {
        made = try sandbox.prepare(for: version.manifest)
        self.staged = staged
        folder = sandbox.folder(of: version.bundle)
        var lock: FolderLock?
        defer { if let lock { lock.release() } }
        do throws(AtriumError) {
            // An active bundle must have its data container, even after a power failure.
            try FileSystem.sync(made: made)
            if try FileSystem.item(at: folder) == nil {
                isExchange = false
            } else if try SealedFolder(folder).isWhole(as: version.bundle, in: staged) {
                isExchange = nil
            } else {
                isExchange = true
                lock = try Self.lock(folder, of: version.bundle, in: sandbox)
            }
            try move(staged, to: folder)
            do throws(AtriumError) {
                try FileSystem.sync(folder.parent)
                try FileSystem.sync(folder.parent.parent)
            } catch {
                try? move(folder, to: staged)
                throw error
            }
        } catch {
            FileSystem.removeIfEmpty(made)
            throw error
        }
    }

    /// Moves the version back.
    func undo() {
        try? move(folder, to: staged)
        FileSystem.removeIfEmpty(made)
    }

    private func move(_ source: FilePath, to target: FilePath) throws(AtriumError) {
        guard let isExchange else { return }
        if isExchange { try FileSystem.exchange(source, target) } else { try FileSystem.rename(source, to: target) }
    }

    /// Locks a folder, so that no process starts to use it.
    ///
    /// - Returns: `nil` for an item that isn't a folder.
    private static func lock(
        _ folder: FilePath, of bundle: PluginBundle, in sandbox: Sandbox
    ) throws(AtriumError) -> FolderLock? {
        guard try FileSystem.isFolder(folder) else { return nil }
        if let lock = try VersionLocks.removal(of: folder) { return lock }
        throw AtriumError(
            .sandboxBusy, sandbox.root.string,
            reason: "reinstallInUse", ["bundle": "\(bundle.identity)"])
    }
}

extension SealedFolder {
    /// Returns whether the folder equals an extracted package byte by byte: the same seal, signature and set of sealed files.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when a file can't be read, which is no reason
    ///   to replace it.
    func isWhole(as bundle: PluginBundle, in staged: FilePath) throws(AtriumError) -> Bool {
        do throws(AtriumError) {
            let source = try bytes(of: Seal.name, limit: Seal.sizeLimit)
            let signature = try bytes(of: Seal.signatureName, limit: SealedPackage.signatureLimit)
            let other = SealedFolder(staged)
            guard try ContentDigest.of(source) == bundle.digest,
                try signature == other.bytes(of: Seal.signatureName, limit: SealedPackage.signatureLimit)
            else { return false }
            let found = try contents()
            let seal = try Seal(reading: source, of: folder.lastComponent).present(
                in: found.lazy.compactMap(\.file), requiring: Platform.triple)
            guard SealedFiles(seal: seal).findings(in: found).isEmpty else { return false }
            return try changes(from: seal, but: [], manifestSource()).isEmpty
        } catch {
            if error.isEnvironmental { throw error }
            return false
        }
    }
}

extension SealedPackage {
    /// Checks that a package with libraries has those for this host's platform.
    ///
    /// A package without any library is reported in detail when its libraries are checked.
    ///
    /// - Throws: ``AtriumError`` with code `libraryMissing` and the platforms that the package has.
    func requirePlatform() throws(AtriumError) {
        guard !platforms.isEmpty, !platforms.contains(Platform.triple) else { return }
        guard seal.platforms.contains(Platform.triple) else { throw .otherPlatform(manifest.identity, platforms) }
        throw AtriumError(
            .libraryMissing, manifest.identity, reason: "otherPlatformPart",
            ["platforms": .list(platforms), "host": .text(Platform.triple)])
    }
}

extension AtriumError {
    /// The error for a version that has no libraries for this host's platform.
    static func otherPlatform(_ identity: BundleIdentity, _ platforms: [String]) -> AtriumError {
        AtriumError(
            .libraryMissing, identity, reason: "otherPlatforms",
            ["platforms": .list(platforms), "host": .text(Platform.triple)])
    }
}
