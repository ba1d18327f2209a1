import Console
import FoundationEssentials
import PluginCore

import Glibc

/// The module's access to the file system.
enum PublisherFiles {
    /// Waits for a moment.
    static func pause() { usleep(50_000) }

    static func exists(_ path: FilePath) -> Bool { FileManager.default.fileExists(atPath: path.string) }

    /// Returns the size of a file in bytes, or nil if there is none.
    static func size(of path: FilePath) -> Int? {
        var status = stat()
        return stat(path.string, &status) == 0 ? Int(status.st_size) : nil
    }

    /// Returns the size of a file in bytes.
    static func size(ofExisting path: FilePath) throws(CommandError) -> Int {
        guard let size = size(of: path) else { throw .fileUnusable(path, "there is no such file") }
        return size
    }

    /// Creates a folder and its parent folders.
    static func makeFolder(_ path: FilePath) throws(CommandError) {
        do {
            try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: true)
        } catch {
            throw .fileUnusable(path, "the folder cannot be created")
        }
    }

    /// Reads a file of limited size.
    static func bytes(of path: FilePath, limit: Int) throws(CommandError) -> [UInt8] {
        var status = stat()
        guard stat(path.string, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .fileUnusable(path, "there is no such file")
        }
        guard status.st_size <= limit else { throw .fileUnusable(path, "it has more than \(limit) bytes") }
        do {
            return Array(try Data(contentsOf: URL(filePath: path.string)))
        } catch {
            throw .fileUnusable(path, "it cannot be read")
        }
    }

    /// Replaces a file as a whole.
    static func write(_ bytes: [UInt8], to path: FilePath) throws(CommandError) {
        do {
            try Data(bytes).write(to: URL(filePath: path.string), options: .atomic)
        } catch {
            throw .fileUnusable(path, "it cannot be written")
        }
    }

    /// Returns the names in a folder, or none if there is no folder.
    static func names(in folder: FilePath) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.string)) ?? []).sorted()
    }
}
