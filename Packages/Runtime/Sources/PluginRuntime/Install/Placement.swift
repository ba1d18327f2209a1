import PluginCore

/// A staged folder that was moved to where versions lie, and the way back.
struct Placement {
    private let staged: FilePath
    private let folder: FilePath
    private let isExchange: Bool
    /// The folders that were made for it, outer ones before inner ones.
    private let made: [FilePath]

    /// Moves a staged version into its place.
    ///
    /// A folder of that name is the version to go back to, or the rest of an install that was never made active. It stays,
    /// whole, in one of two places, until the registry has decided.
    init(of bundle: StagedBundle, in sandbox: Sandbox) throws(AtriumError) {
        made = try sandbox.prepare(for: bundle.version.manifest)
        staged = bundle.folder
        folder = sandbox.folder(of: bundle.version.bundle)
        isExchange = FileSystem.item(at: folder) != nil
        do throws(AtriumError) {
            // A bundle that is active has its container, also after a power cut.
            try FileSystem.sync(made: made)
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
        if isExchange {
            try FileSystem.exchange(source, target)
        } else {
            try FileSystem.rename(source, to: target)
        }
    }
}
