internal import FoundationEssentials
public import PluginCore
internal import Zip

/// An opened package that a test changes and writes again. What it refuses to do is a mistake of the test; what it does
/// need not make sense, which is the point.
public struct PackageEditor: Sendable {
    /// The file name it will have; by default the one it had.
    public var name: String
    var files: [File]
    /// A Boolean value that indicates whether the seal stays as it is, whatever happens to the files.
    var keepsSeal = false
    /// What is done to the finished archive, in order.
    var edits: [@Sendable (inout [UInt8]) throws -> Void] = []

    struct File: Sendable {
        let name: String
        var bytes: [UInt8]
        let isExecutable: Bool
    }

    /// Opens a sound package.
    ///
    /// - Throws: why it is none.
    public init(_ package: FilePath) throws {
        let archive = try ZipArchive(path: package.string)
        name = package.lastComponent
        files = try archive.entries.filter { !$0.isDirectory }.map { entry in
            File(
                name: entry.name, bytes: try archive.contents(of: entry.name, limit: .max),
                isExecutable: entry.isExecutable)
        }
    }

    /// The names of the files in it, in the archive's order. Empty folders are not kept.
    public var fileNames: [String] { files.map(\.name) }

    /// The content of a file.
    ///
    /// - Throws: ``FixtureError`` when it is not there.
    public func bytes(of file: String) throws -> [UInt8] {
        files[try index(of: file)].bytes
    }

    /// Puts a file in place of the one of that name, or adds it.
    public mutating func set(_ file: String, to bytes: [UInt8]) {
        if let index = files.firstIndex(where: { $0.name == file }) {
            files[index].bytes = bytes
        } else {
            files.append(File(name: file, bytes: bytes, isExecutable: false))
        }
    }

    /// Puts a text file in place of the one of that name, or adds it.
    public mutating func set(_ file: String, to text: String) {
        set(file, to: Array(text.utf8))
    }

    /// Changes the content of a file.
    ///
    /// - Throws: ``FixtureError`` when it is not there, and what `change` throws.
    public mutating func edit(_ file: String, _ change: (inout [UInt8]) throws -> Void) throws {
        try change(&files[try index(of: file)].bytes)
    }

    /// Takes a file out.
    ///
    /// - Throws: ``FixtureError`` when it is not there.
    public mutating func remove(_ file: String) throws {
        files.remove(at: try index(of: file))
    }

    /// Gives a file another name.
    ///
    /// - Throws: ``FixtureError`` when it is not there.
    public mutating func rename(_ file: String, to name: String) throws {
        let index = try index(of: file)
        files[index] = File(name: name, bytes: files[index].bytes, isExecutable: files[index].isExecutable)
    }

    /// The finished archive.
    ///
    /// - Throws: ``FixtureError`` when a change of the archive does not fit, and what writing it throws.
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
