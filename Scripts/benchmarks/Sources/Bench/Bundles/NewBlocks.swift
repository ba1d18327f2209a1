import FoundationEssentials
import Glibc
import PluginCore

/// The disk space of files, in which a file with several names counts once.
struct NewBlocks {
    private var known: Set<UInt64> = []

    /// Returns the bytes that a file or folder takes in addition to those that were counted before.
    mutating func count(_ path: FilePath) throws -> Int {
        var bytes = try count(file: path)
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path.string, isDirectory: &isFolder), isFolder else {
            return bytes
        }
        for name in try FileManager.default.subpathsOfDirectory(atPath: path.string) {
            bytes += try count(file: path.appending(name))
        }
        return bytes
    }

    private mutating func count(file: FilePath) throws -> Int {
        var status = stat()
        guard lstat(file.string, &status) == 0 else { throw AtriumError(.inputOutput, file.string) }
        // The unit is always 512 bytes, whatever the block size of the file system; see stat in the manual.
        return known.insert(UInt64(status.st_ino)).inserted ? Int(status.st_blocks) * 512 : 0
    }
}
