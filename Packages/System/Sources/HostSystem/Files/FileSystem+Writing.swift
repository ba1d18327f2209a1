import Glibc
package import PluginCore
import Synchronization

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

private let lastSerial = Atomic<Int>(0)

/// Returns a name that is unique among all calls of all living processes.
package func processSerial() -> String {
    "\(getpid())-\(lastSerial.add(1, ordering: .relaxed).newValue)"
}
