import FoundationEssentials
import PluginCore

/// A temporary folder for one test, removed when the last reference to it is released.
final class TemporaryFolder: Sendable {
    private let folder: TestFolder
    var path: FilePath { FilePath(folder.path) }

    init() throws { folder = try TestFolder() }

    @discardableResult
    func write(_ text: String, to name: String) throws -> FilePath { FilePath(try folder.write(text, to: name)) }

    func remove(_ name: String) throws { try folder.remove(name) }

    func move(_ name: String, to place: String) throws {
        let target = path.appending(place)
        try FileManager.default.createDirectory(atPath: target.parent.string, withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: folder.place(name), toPath: target.string)
    }

    /// Returns the paths of all files and folders in it, sorted.
    func names() throws -> [String] { try folder.names() }
}
