import FoundationEssentials
import PluginCore

/// A temporary folder that is removed at the end of the run.
struct TemporaryFolder {
    let path: FilePath

    init() throws {
        path = FilePath(FileManager.default.temporaryDirectory.path).appending("atrium-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: true)
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: path.string)
    }
}
