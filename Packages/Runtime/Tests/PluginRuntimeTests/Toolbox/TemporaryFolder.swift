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
@propertyWrapper
final class TemporaryFolder: Sendable {
    let path: FilePath
    var wrappedValue: FilePath { path }

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

/// A comparable listing of a folder's items with their paths, types, modes and contents.
struct Tree: Equatable, CustomStringConvertible {
    private var items: [String: String] = [:]

    init(_ root: FilePath) throws {
        try add(root, as: ".")
    }

    private mutating func add(_ path: FilePath, as name: String) throws {
        var status = stat()
        guard lstat(path.string, &status) == 0 else { return }
        let mode = String(status.st_mode & 0o7777, radix: 8)
        if status.st_mode & S_IFMT == S_IFDIR {
            items[name] = "folder \(mode)"
            for child in try path.names { try add(path.appending(child), as: "\(name)/\(child)") }
        } else {
            items[name] = "file \(mode) \(try path.bytes.hashValue)"
        }
    }

    /// The paths, sorted.
    var paths: [String] { items.keys.sorted() }

    /// Returns a line for each item that differs from an earlier listing of the same folder.
    func changes(since before: Tree) -> [String] {
        Set(items.keys).union(before.items.keys).sorted().compactMap { path in
            let (now, then) = (items[path], before.items[path])
            return now == then ? nil : "\(path): \(then ?? "nothing") -> \(now ?? "nothing")"
        }
    }

    /// A line for each item.
    var description: String { items.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: "\n") }
}
