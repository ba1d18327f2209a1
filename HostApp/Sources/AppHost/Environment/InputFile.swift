import Console
import Glibc
import HostSystem
import PluginCore

/// The input files that are named on the command line.
enum InputFile {
    /// The largest file that is read, in bytes.
    private static let limit = 1 << 28

    /// Returns the contents of a file or a pipe.
    ///
    /// - Throws: ``AtriumError`` with code `fileUnknown` if the file does not exist, or `inputOutput` if it cannot be read.
    static func content(of path: FilePath) throws(AtriumError) -> [UInt8] {
        try NamedFile.bytes(of: path, limit: limit)
    }

    /// Returns the path of a file with all links resolved, or the path itself if that fails.
    static func realPath(of path: FilePath) -> FilePath {
        guard let real = realpath(path.string, nil) else { return path }
        defer { free(real) }
        return FilePath(String(cString: real))
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
