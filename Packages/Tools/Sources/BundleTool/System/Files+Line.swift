import Console
import PluginCore

import Glibc

extension Files {
    /// Reads the first line of a file, a pipe, or standard input for `-`, without its line break and without reading further.
    ///
    /// - Returns: the bytes; `nil` if there are more than `limit`.
    /// - Throws: ``PackError`` if there is no file, ``AtriumError`` with code `inputOutput`.
    static func firstLine(of path: FilePath, limit: Int, remedy: String) throws -> [UInt8]? {
        if path.string == "-" { return try firstLine(limit: limit, standardInput) }
        do {
            let file = try NamedFile(path)
            return try firstLine(limit: limit) { () throws(AtriumError) in try file.read(atMost: 1)?.first }
        } catch let error as AtriumError where error.code == NamedFile.unknown {
            throw PackError.notThere(path, .file, remedy: remedy)
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
            guard errno == EINTR else {
                throw AtriumError(.inputOutput, "standard input", reason: .verbatim(message(forError: errno)))
            }
        }
    }
}
