#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import FoundationEssentials
import PluginCore

/// Gives the body a folder of its own, and removes it afterwards.
func withFolder<Result>(_ body: (FilePath) async throws -> Result) async throws -> Result {
    let folder = try temporaryFolder()
    defer { try? folder.remove() }
    return try await body(folder)
}

/// The same for a body that waits for nothing.
func withFolderNow<Result>(_ body: (FilePath) throws -> Result) throws -> Result {
    let folder = try temporaryFolder()
    defer { try? folder.remove() }
    return try body(folder)
}

private func temporaryFolder() throws -> FilePath {
    let folder = FileManager.default.temporaryDirectory.appending(path: "runtime-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return FilePath(folder.path)
}

extension FilePath {
    /// Makes it a file, with the folders above it.
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

    /// The names in it, sorted.
    var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: string).sorted() } }
}

/// Writes over a file that is there, which stays the same file to who has it open.
func overwrite(_ path: FilePath, with bytes: [UInt8]) throws {
    let file = open(path.string, O_WRONLY | O_TRUNC)
    guard file >= 0 else { throw AtriumError(.inputOutput, path.string) }
    defer { close(file) }
    guard write(file, bytes, bytes.count) == bytes.count else { throw AtriumError(.inputOutput, path.string) }
}
