import PluginCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension Files {
    /// Reads the first line of a file, a pipe, or standard input for `-`, without its line break and without reading further.
    ///
    /// - Returns: the bytes; `nil` if there are more than `limit`.
    /// - Throws: ``PackError`` if there is no file, ``AtriumError`` with code `inputOutput`.
    static func firstLine(of path: FilePath, limit: Int, remedy: String) throws -> [UInt8]? {
        if path.string == "-" { return try firstLine(from: STDIN_FILENO, of: "standard input", limit: limit) }
        guard let kind = kind(of: path), kind != .folder else {
            throw PackError.notThere(path, .file, remedy: remedy)
        }
        let descriptor = open(path.string, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else {
            throw AtriumError(.inputOutput, path.string, reason: .verbatim(message(forError: errno)))
        }
        defer { _ = close(descriptor) }
        return try firstLine(from: descriptor, of: path.string, limit: limit)
    }

    private static func firstLine(from descriptor: Int32, of name: String, limit: Int) throws -> [UInt8]? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(descriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw AtriumError(.inputOutput, name, reason: .verbatim(message(forError: errno))) }
            guard count == 1, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") else { return line }
            guard line.count < limit else { return nil }
            line.append(byte)
        }
    }
}
