import Glibc
import FoundationEssentials
import PluginCore

/// Passes a temporary folder to the body and removes the folder afterwards.
func withFolder<Result>(_ body: (FilePath) async throws -> Result) async throws -> Result {
    let folder = try temporaryFolder()
    defer { try? folder.remove() }
    return try await body(folder)
}

/// Passes a temporary folder to a synchronous body and removes the folder afterwards.
func withFolderNow<Result>(_ body: (FilePath) throws -> Result) throws -> Result {
    let folder = try temporaryFolder()
    defer { try? folder.remove() }
    return try body(folder)
}

/// Creates a temporary folder, which the caller removes.
func temporaryFolder() throws -> FilePath {
    let folder = FileManager.default.temporaryDirectory.appending(path: "runtime-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return FilePath(folder.path)
}

/// A folder that is removed with this object.
final class TemporaryFolder: Sendable {
    let path: FilePath

    /// Creates the folder. A test fails at its first file if that is impossible.
    init() { path = (try? temporaryFolder()) ?? "/nonexistent" }

    deinit { try? path.remove() }
}

extension FilePath {
    /// Writes a file at this path and creates its parent folders.
    func write(_ bytes: [UInt8]) throws {
        try FileManager.default.createDirectory(atPath: parent.string, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: string))
    }

    func write(_ text: String) throws { try write(Array(text.utf8)) }

    func makeFolder() throws {
        try FileManager.default.createDirectory(atPath: string, withIntermediateDirectories: true)
    }

    func remove() throws { try FileManager.default.removeItem(atPath: string) }

    var bytes: [UInt8] { get throws { Array(try Data(contentsOf: URL(filePath: string))) } }

    var text: String { get throws { String(decoding: try bytes, as: UTF8.self) } }

    var exists: Bool { FileManager.default.fileExists(atPath: string) }

    /// The names of the folder's items, sorted.
    var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: string).sorted() } }
}

/// Overwrites an existing file in place, so that processes that have it open see the new content.
func overwrite(_ path: FilePath, with bytes: [UInt8]) throws {
    let file = open(path.string, O_WRONLY | O_TRUNC)
    guard file >= 0 else { throw AtriumError(.inputOutput, path.string) }
    defer { close(file) }
    guard write(file, bytes, bytes.count) == bytes.count else { throw AtriumError(.inputOutput, path.string) }
}
