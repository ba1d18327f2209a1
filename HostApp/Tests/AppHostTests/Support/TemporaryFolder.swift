import FoundationEssentials
import PluginCore

/// A temporary folder for one test, removed when the last reference to it is released.
final class TemporaryFolder: Sendable {
    let path: FilePath

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "apphost-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = FilePath(folder.path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path.string) }

    @discardableResult
    func write(_ text: String, to name: String) throws -> FilePath {
        let file = path.appending(name)
        try FileManager.default.createDirectory(atPath: file.parent.string, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: file.string))
        return file
    }
}

extension TemporaryFolder {
    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path.appending(name).string) }

    func move(_ name: String, to place: String) throws {
        let target = path.appending(place)
        try FileManager.default.createDirectory(atPath: target.parent.string, withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: path.appending(name).string, toPath: target.string)
    }

    /// Returns the paths of all files and folders in it, sorted.
    func names() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: path.string).sorted() }
}
