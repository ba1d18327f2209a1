internal import CSystem
import Glibc
public import PluginCore

extension FileSystem {
    /// Replaces a file atomically, as ``OpenFolder/replace(_:with:mode:)`` does.
    ///
    /// - Parameter mode: the permission bits of the new file.
    package static func replace(_ path: FilePath, with bytes: [UInt8], mode: UInt32 = 0o600) throws(AtriumError) {
        try OpenFolder(folder: path.parent.string).replace(EntryName(path.lastComponent), with: bytes, mode: mode)
    }

    /// Renames an invalid file to an unused name beside it, so that it is kept and a new one can be written.
    ///
    /// Only one caller may set a file aside at a time.
    ///
    /// - Returns: the new path.
    package static func setAside(_ path: FilePath) throws(AtriumError) -> FilePath {
        let first = FilePath(path.string + ".unreadable")
        var (free, number) = (first, 1)
        while try item(at: free) != nil {
            number += 1
            free = FilePath("\(first).\(number)")
        }
        try rename(path, to: free)
        return free
    }
}

/// A file in memory, which leaves nothing behind however the process ends, and which nobody can change.
///
/// ```swift
/// let library = try MemoryFile(bytes, named: "libShop.so")
/// // A program that inherits library.descriptor can open library.path.
/// ```
public final class MemoryFile: Sendable {
    private let file: OpenFile
    /// The open file, which other programs do not inherit unless they are started so.
    public var descriptor: Int32 { file.raw }

    /// The file's path in this process, and in each program that has inherited the descriptor under the same number.
    public var path: FilePath { FilePath("/proc/self/fd/\(descriptor)") }

    /// Creates a file.
    ///
    /// - Parameter name: its name for debuggers.
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    public init(_ bytes: [UInt8], named name: String) throws(AtriumError) {
        let created = try OpenFile.call("creatingInMemoryFailed", FilePath(name)) {
            memfd_create(name, UInt32(csystem_memory_flags))
        }
        file = OpenFile(created, at: FilePath(name))
        try file.append(bytes, failing: "writingToMemoryFailed")
        // Another process that gets the file could make it memory of its own, without a limit.
        try file.call("writingToMemoryFailed") { csystem_seal($0, true) }
    }
}

/// Files without a name, which disappear with their last descriptors.
package enum UnnamedFile {
    /// Creates a file with some content.
    ///
    /// - Parameter folder: The folder in whose file system it lies.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable`.
    package static func create(_ bytes: [UInt8], in folder: FilePath) throws(AtriumError) -> AttachmentFile {
        let name = folder.appending(".\(processSerial())")
        let created = try OpenFile.call("creatingFailed", name) {
            open(name.string, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
        let file = OpenFile(created, at: name)
        try file.call("removingFailed") { _ in unlink(name.string) }
        try file.append(bytes)
        return AttachmentFile(taking: file.takeDescriptor())
    }
}
