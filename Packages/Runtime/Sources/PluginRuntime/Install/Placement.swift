#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore

/// A staged folder that was moved to where versions lie, and the way back.
struct Placement {
    private enum Way {
        /// Nothing lies in the place.
        case move
        /// What lies there is of no use, and nobody uses it.
        case exchange
        /// The version lies there already.
        case none
    }

    private let staged: FilePath
    private let folder: FilePath
    private let way: Way
    /// The folders that were made for it, outer ones before inner ones.
    private let made: [FilePath]

    /// Moves a staged version into its place.
    ///
    /// A folder of that name is the version to go back to, or the rest of an install that was never made active. Whole, it
    /// stays, because living processes may use it. What is not stays too, in one of two places, until the registry has decided.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxBusy` when it is not whole and a process uses it all the same.
    init(of bundle: StagedBundle, in sandbox: Sandbox) throws(AtriumError) {
        made = try sandbox.prepare(for: bundle.version.manifest)
        staged = bundle.folder
        folder = sandbox.folder(of: bundle.version.bundle)
        var lock: Int32?
        defer { if let lock { VersionHolds.endRemoval(lock) } }
        do throws(AtriumError) {
            // A bundle that is active has its container, also after a power cut.
            try FileSystem.sync(made: made)
            if try FileSystem.item(at: folder) == nil {
                way = .move
            } else if try SealedFolder(folder).isWhole(as: bundle) {
                way = .none
            } else {
                way = .exchange
                lock = try Self.lock(folder, of: bundle, in: sandbox)
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

    /// Moves it back, when nothing comes of it.
    func undo() {
        try? move(folder, to: staged)
        FileSystem.removeIfEmpty(made)
    }

    private func move(_ source: FilePath, to target: FilePath) throws(AtriumError) {
        switch way {
        case .none: return
        case .exchange: try FileSystem.exchange(source, target)
        case .move: try FileSystem.rename(source, to: target)
        }
    }

    /// Keeps others from starting to use a folder; `nil` for what is none.
    private static func lock(
        _ folder: FilePath, of bundle: StagedBundle, in sandbox: Sandbox
    ) throws(AtriumError) -> Int32? {
        guard try FileSystem.isFolder(folder) else { return nil }
        if let lock = try VersionHolds.removal(of: folder) { return lock }
        throw AtriumError(
            .sandboxBusy, sandbox.root.string,
            detail: "a process uses \(bundle.version.bundle.identity), whose files have to be put in their place anew")
    }
}
