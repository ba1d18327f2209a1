import Glibc
package import PluginCore

/// A file that is open for reading, and is closed in the end.
///
/// ```swift
/// if let file = OpenFile(path, mode: 0o444) {
///     try file.read(path) { hasher.update($0) }
/// }
/// ```
package struct OpenFile: ~Copyable {
    private let descriptor: Int32

    /// Opens a file with the given permission bits; `nil` for anything else, a link too. Never waits.
    package init?(_ path: FilePath, mode: UInt16) {
        let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        descriptor = open(path.string, flags)
        guard descriptor >= 0 else { return nil }
        guard let status = try? FileSystem.status(of: descriptor, at: path),
            case .file(_, mode) = FileSystem.Item(status)
        else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Reads it from its start, piece by piece.
    ///
    /// - Parameter path: for messages.
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    package borrowing func read(_ path: FilePath, _ use: (UnsafeRawBufferPointer) -> Void) throws(AtriumError) {
        try FileSystem.read(descriptor, of: path, use)
    }

    /// Returns whether it can have one more name in a folder.
    package borrowing func canHaveName(in folder: FilePath) -> Bool { FileSystem.canLink(descriptor, into: folder) }

    /// Leaves the descriptor to the caller, who closes it.
    package consuming func takeDescriptor() -> Int32 {
        let descriptor = descriptor
        discard self
        return descriptor
    }
}
