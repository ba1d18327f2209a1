import Glibc

/// The content of an open file, which is read at any position.
public struct FileContent: Sendable {
    private let file: Descriptor

    /// The length in bytes when the file was opened.
    public let length: Int64

    init(of file: Descriptor) throws(FileError) {
        self.file = file
        length = try file.status().length
    }

    /// Returns the bytes from a position on: fewer than the given number only at the end of the file.
    public func bytes(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let read = try file.read(into: &bytes[done...], at: offset + Int64(done))
            if read == 0 { break }
            done += read
        }
        bytes.removeLast(count - done)
        return bytes
    }
}

/// The content of an open file, in pieces of 64 KiB.
public struct FilePieces {
    private let file: Descriptor

    init(of file: Descriptor) {
        self.file = file
    }

    /// Returns the next piece, or nil at the end of the file.
    public func next() throws(FileError) -> [UInt8]? {
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        let count = try file.read(into: &piece)
        guard count > 0 else { return nil }
        piece.removeLast(piece.count - count)
        return piece
    }
}

/// A system call that failed, with its path.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path of the file or folder.
    public let path: String
    /// The system's error number.
    public let number: Int32

    init(path: String, number: Int32) {
        self.path = path
        self.number = number
    }

    /// A line for logs with path, message and number.
    public var description: String {
        "\(path.debugDescription): \(String(cString: strerror(number))) (errno \(number))"
    }
}

extension FileError {
    /// A Boolean value that indicates whether there is no file or folder with the path.
    public var isMissing: Bool { number == ENOENT || number == ENOTDIR }

    /// A Boolean value that indicates whether the disk is full, or the part of it that the user may use.
    public var isFull: Bool { number == ENOSPC || number == EDQUOT }

    /// A Boolean value that indicates whether the file is longer than a limit.
    public var isTooLarge: Bool { number == EFBIG }

    /// Returns the error of a file that does not exist.
    public static func missing(_ path: String) -> FileError { FileError(path: path, number: ENOENT) }
}
