internal import FoundationEssentials
public import PluginCore
internal import Zip

/// An editor for a package that a test changes and writes again.
///
/// The result may be invalid on purpose. Errors of the editor itself indicate mistakes in the test.
public struct PackageEditor: Sendable {
    /// The file name of the changed package, by default that of the original.
    public var name: String
    var files: [File]
    /// A Boolean value that indicates whether the seal stays unchanged when files change.
    var keepsSeal = false
    /// The changes of the finished archive, in order.
    var edits: [@Sendable (inout [UInt8]) throws -> Void] = []

    struct File: Sendable {
        let name: String
        var bytes: [UInt8]
        let isExecutable: Bool
    }

    /// Opens a valid package.
    ///
    /// - Throws: The reason why it is invalid.
    public init(_ package: FilePath) throws {
        let archive = try ZipArchive(path: package.string)
        name = package.lastComponent
        files = try archive.entries.filter { !$0.isDirectory }.map { entry in
            File(
                name: entry.name, bytes: try archive.contents(of: entry.name, limit: .max),
                isExecutable: entry.isExecutable)
        }
    }

    /// The names of the files in the order of the archive. Empty folders are not included.
    public var fileNames: [String] { files.map(\.name) }

    /// Returns the content of a file.
    ///
    /// - Throws: ``FixtureError`` if it doesn't exist.
    public func bytes(of file: String) throws -> [UInt8] {
        files[try index(of: file)].bytes
    }

    /// Adds or replaces a file.
    public mutating func set(_ file: String, to bytes: [UInt8]) {
        if let index = files.firstIndex(where: { $0.name == file }) {
            files[index].bytes = bytes
        } else {
            files.append(File(name: file, bytes: bytes, isExecutable: false))
        }
    }

    /// Adds or replaces a text file.
    public mutating func set(_ file: String, to text: String) {
        set(file, to: Array(text.utf8))
    }

    /// Changes the content of a file.
    ///
    /// - Throws: ``FixtureError`` if it doesn't exist, and the errors of `change`.
    public mutating func edit(_ file: String, _ change: (inout [UInt8]) throws -> Void) throws {
        try change(&files[try index(of: file)].bytes)
    }

    /// Removes a file.
    ///
    /// - Throws: ``FixtureError`` if it doesn't exist.
    public mutating func remove(_ file: String) throws {
        files.remove(at: try index(of: file))
    }

    /// Renames a file.
    ///
    /// - Throws: ``FixtureError`` if it doesn't exist.
    public mutating func rename(_ file: String, to name: String) throws {
        let index = try index(of: file)
        files[index] = File(name: name, bytes: files[index].bytes, isExecutable: files[index].isExecutable)
    }

    /// Returns the finished archive.
    ///
    /// - Throws: ``FixtureError`` if a change of the archive is not possible, and the errors of writing it.
    public func bytes() throws -> [UInt8] {
        var writer = ZipWriter()
        for file in files { try writer.add(file.bytes, as: file.name, executable: file.isExecutable) }
        let folder = try ThrowawayFolder()
        try writer.write(to: folder.appending("package.zip").string)
        var bytes = try folder.bytes(of: "package.zip")
        for edit in edits { try edit(&bytes) }
        return bytes
    }

    private func index(of file: String) throws -> Int {
        if let index = files.firstIndex(where: { $0.name == file }) { return index }
        throw FixtureError("\(name) has no \(file); it has \(fileNames.joined(separator: ", "))")
    }
}
