internal import Foundation

/// A new folder for one test, removed with the last reference to it.
public final class TestFolder: Sendable {
    /// Its path.
    public let path: String

    /// Creates an empty folder.
    public init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "test-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Returns the path of something in the folder.
    public func place(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file together with the folders that it is in, and returns its path.
    @discardableResult
    public func write(_ bytes: [UInt8], to name: String) throws -> String {
        let file = URL(filePath: place(name))
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        return file.path
    }

    /// Writes a file with a text.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String { try write(Array(text.utf8), to: name) }

    /// Returns the content of a file.
    public func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: place(name)))) }

    /// Returns the content of a file as a text.
    public func text(_ name: String) throws -> String { try String(contentsOfFile: place(name), encoding: .utf8) }

    /// Removes a file or a folder.
    public func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: place(name)) }

    /// Returns the paths of all files and folders in it, sorted.
    public func names() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: path).sorted() }
}
