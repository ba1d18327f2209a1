import Console
import Glibc
import PluginCore

extension Files {
    /// Creates a new file and waits until it is on disk.
    ///
    /// - Parameter mode: the permissions, which apply from the file's creation on.
    /// - Throws: ``CommandError`` if the path exists, ``AtriumError`` with code `inputOutput`. After an error no file remains.
    static func create(_ path: FilePath, _ content: String, mode: mode_t, remedy: String) throws {
        let file = open(path.string, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        guard file >= 0 else {
            if errno == EEXIST { throw CommandError.alreadyThere(path, remedy: remedy) }
            throw failure(path)
        }
        defer { close(file) }
        guard (try? StandardOutput.write(content, descriptor: file)) == true, fsync(file) == 0 else {
            let failure = failure(path)
            unlink(path.string)
            throw failure
        }
    }

    /// Locks a file, which is created if necessary, until this process and the programs that replace it end.
    ///
    /// - Returns: `false` if another process has locked it.
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    static func lockUntilEnd(_ path: FilePath) throws(AtriumError) -> Bool {
        // The descriptor is inherited on purpose.
        let file = open(path.string, O_RDWR | O_CREAT, 0o644)
        if file >= 0, flock(file, LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK else { throw failure(path) }
        close(file)
        return false
    }
}

extension Files {
    /// Reads the first line of a file, a pipe, or standard input for `-`, without its line break and without reading further.
    ///
    /// - Returns: the bytes; `nil` if there are more than `limit`.
    /// - Throws: ``CommandError`` if there is no file, ``AtriumError`` with code `inputOutput`.
    static func firstLine(of path: FilePath, limit: Int, remedy: String) throws -> [UInt8]? {
        if path.string == "-" { return try firstLine(limit: limit, standardInput) }
        do {
            let file = try NamedFile(path)
            return try firstLine(limit: limit) { () throws(AtriumError) in try file.read(atMost: 1)?.first }
        } catch let error as AtriumError where error.code == NamedFile.unknown {
            throw CommandError.notThere(path, remedy: remedy)
        }
    }

    private static func firstLine(limit: Int, _ next: () throws(AtriumError) -> UInt8?) throws -> [UInt8]? {
        var line: [UInt8] = []
        while let byte = try next(), byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") {
            guard line.count < limit else { return nil }
            line.append(byte)
        }
        return line
    }

    private static func standardInput() throws(AtriumError) -> UInt8? {
        var byte: UInt8 = 0
        while true {
            let count = read(STDIN_FILENO, &byte, 1)
            if count >= 0 { return count == 1 ? byte : nil }
            guard errno == EINTR else { throw failure("standard input") }
        }
    }
}
