import Glibc
import FoundationEssentials
import PluginCore

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
