import FoundationEssentials
import Glibc
import PluginCore

/// What files take on the disk, each once, by whatever names it lies there.
struct NewBlocks {
    private var known: Set<UInt64> = []

    /// The bytes that a file, or a folder with all in it, takes beside what was counted before. A file with several names
    /// counts once.
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
        // In units of 512 bytes, whatever the file system's blocks are (stat(2)).
        return known.insert(UInt64(status.st_ino)).inserted ? Int(status.st_blocks) * 512 : 0
    }
}
