import CProcesses
import Glibc
import HostSystem
public import PluginCore

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
            memfd_create(name, UInt32(process_memory_flags))
        }
        file = OpenFile(created, at: FilePath(name))
        try file.append(bytes, failing: "writingToMemoryFailed")
        // Another process that gets the file could make it memory of its own, without a limit.
        try file.call("writingToMemoryFailed") { process_seal($0, true) }
    }
}

/// Files without a name, which disappear with their last descriptors.
package enum UnnamedFile {
    /// Creates a file with some content, and returns its descriptor, which the caller closes.
    ///
    /// - Parameter folder: The folder in whose file system it lies.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable`.
    package static func create(_ bytes: [UInt8], in folder: FilePath) throws(AtriumError) -> Int32 {
        let name = folder.appending(".\(processSerial())")
        let created = try OpenFile.call("creatingFailed", name) {
            open(name.string, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
        let file = OpenFile(created, at: name)
        try file.call("removingFailed") { _ in unlink(name.string) }
        try file.append(bytes)
        return file.takeDescriptor()
    }
}
