import Glibc

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
