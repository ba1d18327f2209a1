import PluginRuntime
import PluginCatalog
import PluginCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The input files that are named on the command line.
enum InputFile {
    /// Returns the contents of a file.
    ///
    /// - Throws: ``AtriumError`` with code `fileUnknown` if the file does not exist, or `inputOutput` if it cannot be read.
    static func content(of path: FilePath) throws(AtriumError) -> [UInt8] {
        guard isThere(path) else { throw AtriumError(.fileUnknown, path.string) }
        var file: Int32
        // Opening a named pipe waits for its writer.
        repeat { file = open(path.string, O_RDONLY | O_CLOEXEC) } while file < 0 && errno == EINTR
        guard file >= 0 else { throw AtriumError(.inputOutput, path.string, reason: "fileUnreadable") }
        defer { close(file) }
        var content: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 14)
        // It is read until the end, because a pipe has no length.
        while true {
            let count = read(file, &piece, piece.count)
            if count == 0 { return content }
            if count > 0 { content += piece[..<count] }
            guard count > 0 || errno == EINTR else {
                throw AtriumError(.inputOutput, path.string, reason: "fileUnreadable")
            }
        }
    }

    /// Returns whether a path is a folder.
    static func isFolder(_ path: FilePath) -> Bool {
        var status = stat()
        return stat(path.string, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns whether this process may write into a folder.
    static func isWritable(_ folder: FilePath) -> Bool { access(folder.string, W_OK) == 0 }

    /// Returns whether a path exists and is not a folder; `true` also if the process may not look.
    static func isThere(_ path: FilePath) -> Bool {
        var status = stat()
        guard stat(path.string, &status) == 0 else { return errno != ENOENT && errno != ENOTDIR }
        return status.st_mode & S_IFMT != S_IFDIR
    }
}
