internal import CFileWrites
public import PluginCore
import Synchronization

import Glibc

/// The files that code of this process has created, changed or removed anywhere, or tried to.
///
/// The kernel asks a thread of this process about each system call that can do that, whatever library makes it and whether the file remains
/// or not. See decision record 0233.
///
/// ```swift
/// ObservedWrites.begin(besides: folder)
/// // Run the plugin.
/// for path in ObservedWrites.paths { print(path) }
/// ```
public enum ObservedWrites {
    /// The bytes of all paths, as many as are noted.
    private static let limit = 1 << 20
    private static let failed = Mutex<String?>("it was not begun")

    /// Begins to observe this process, which must have only one thread.
    ///
    /// - Parameter folder: the folder of the validation, whose files are compared instead.
    public static func begin(besides folder: FilePath) {
        let path = realpath(folder.string, nil)
        defer { free(path) }
        let status = file_writes_observe(path.map { String(cString: $0) } ?? folder.string)
        let reason = status == 0 ? nil : String(cString: strerror(errno))
        failed.withLock { $0 = reason }
    }

    /// The reason why nothing is observed, such as a kernel that cannot do that; `nil` if all is well.
    static var failure: String? { failed.withLock { $0 } }

    /// Forgets what was observed.
    static func clear() { file_writes_clear() }

    /// The paths of the files, in order, without those that are no files of a disk.
    static var paths: [String] {
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            count = file_writes_copy(start, buffer.count)
        }
        return bytes.split(separator: 0).map { CheckProgress.plain(String(decoding: $0, as: UTF8.self)) }.filter(isFile)
    }

    /// Returns whether a path is neither a device nor a setting of a process.
    private static func isFile(_ path: String) -> Bool {
        guard path.hasPrefix("/dev/") else { return !path.hasPrefix("/proc/") }
        return path.hasPrefix("/dev/shm/")
    }
}
