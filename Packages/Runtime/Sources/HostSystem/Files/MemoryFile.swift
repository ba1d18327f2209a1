internal import CSystem
import Glibc
public import PluginCore

/// A file in memory, which leaves nothing behind however the process ends, and which nobody can change.
///
/// ```swift
/// let library = try MemoryFile(bytes, named: "libShop.so")
/// // A program that inherits library.descriptor can open library.path.
/// ```
public final class MemoryFile: Sendable {
    /// The open file, which other programs do not inherit unless they are started so.
    public let descriptor: Int32

    /// The file's path in this process, and in each program that has inherited the descriptor under the same number.
    public var path: FilePath { FilePath("/proc/self/fd/\(descriptor)") }

    /// Creates a file.
    ///
    /// - Parameter name: its name for debuggers.
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    public init(_ bytes: [UInt8], named name: String) throws(AtriumError) {
        descriptor = csystem_memory_file(name)
        guard descriptor >= 0 else { throw FileSystem.failure(reason: "creatingInMemoryFailed", FilePath(name)) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileSystem.failure(reason: "writingToMemoryFailed", FilePath(name)) }
            rest = rest.dropFirst(count)
        }
        // Another process that gets the file could make it memory of its own, without a limit.
        guard csystem_seal(descriptor, true) == 0 else {
            throw FileSystem.failure(reason: "writingToMemoryFailed", FilePath(name))
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }
}
