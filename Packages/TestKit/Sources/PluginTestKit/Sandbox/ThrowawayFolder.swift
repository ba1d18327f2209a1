internal import FoundationEssentials
public import PluginCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// An empty folder that goes with its last reference, at the latest with the process; whatever rights were taken from what
/// is in it.
///
/// ```swift
/// let folder = try ThrowawayFolder()
/// try folder.write("{}", to: "a/b.json")
/// ```
public final class ThrowawayFolder: Sendable {
    /// Where it is, by default below the system's temporary folder.
    public let path: FilePath

    /// Makes a folder.
    ///
    /// - Throws: what the file system throws.
    public convenience init() throws {
        try self.init(in: FilePath(FileManager.default.temporaryDirectory.path))
    }

    /// Makes a folder in another place than the system's temporary folder.
    init(in place: FilePath) throws {
        path = place.appending("atrium-test-\(UUID().uuidString)")
        Leftovers.add(path)
        try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: true)
    }

    deinit {
        remove()
    }

    /// Removes the folder now.
    func remove() {
        Self.unlock(path)
        Leftovers.remove(path)
    }

    /// The path of `name` in the folder.
    public func appending(_ name: String) -> FilePath { path.appending(name) }

    /// Writes a file, and makes the folders that it lies in.
    ///
    /// - Returns: its path.
    /// - Throws: what the file system throws.
    @discardableResult
    public func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> FilePath {
        let file = appending(name)
        try FileManager.default.createDirectory(atPath: file.parent.string, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: file.string))
        return file
    }

    /// Writes a text file, and makes the folders that it lies in.
    ///
    /// - Returns: its path.
    /// - Throws: what the file system throws.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> FilePath {
        try write(text.utf8, to: name)
    }

    /// The content of a file.
    ///
    /// - Throws: what the file system throws.
    public func bytes(of name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: appending(name).string)))
    }

    /// Returns whether something lies there.
    public func contains(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: appending(name).string)
    }

    /// What is in it now.
    ///
    /// - Throws: ``FixtureError`` for what cannot be read.
    public func tree() throws -> FileTree { try FileTree(of: path) }

    /// A folder without the right to write cannot be emptied.
    private static func unlock(_ folder: FilePath) {
        guard FileTree.kind(of: folder) == .folder else { return }
        chmod(folder.string, 0o700)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.string)) ?? [] {
            unlock(folder.appending(name))
        }
    }
}
