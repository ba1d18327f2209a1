public import PluginCore

import Glibc

/// A file that a user has named, which is read once, from its beginning.
///
/// It can also be a pipe, such as that of a shell's `<(...)`. No command waits for ever: a pipe that nothing is written into is an error,
/// and so is a device.
///
/// ```swift
/// let content = try NamedFile.bytes(of: path, limit: 1 << 20)
/// ```
public struct NamedFile: ~Copyable {
    /// The time in milliseconds that a pipe may be silent.
    private static let patience: Int32 = 10_000

    /// The code of the error for a path without a file.
    package static let unknown = AtriumError.Code("fileUnknown")

    private let path: FilePath
    private let descriptor: Int32
    private let isPipe: Bool

    /// Opens a file.
    ///
    /// - Throws: ``AtriumError`` with code `fileUnknown` if there is none, or `inputOutput` if it cannot be read.
    public init(_ path: FilePath) throws(AtriumError) {
        let descriptor = open(path.string, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { throw AtriumError(Self.unknown, path) }
            // Opening a socket fails with this number.
            let reason = ErrorReason(errno == ENXIO ? "notRegularFile" : "fileUnreadable")
            throw AtriumError(.inputOutput, path, reason: reason)
        }
        var status = stat()
        let kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
        guard kind == S_IFREG || kind == S_IFIFO else {
            close(descriptor)
            if kind == S_IFDIR { throw AtriumError(Self.unknown, path) }
            throw AtriumError(.inputOutput, path, reason: "notRegularFile")
        }
        (self.path, self.descriptor, isPipe) = (path, descriptor, kind == S_IFIFO)
    }

    /// Returns standard input, which may be silent for any time.
    package static func standardInput() -> NamedFile {
        Self(descriptor: dup(STDIN_FILENO), path: "standard input")
    }

    private init(descriptor: Int32, path: FilePath) {
        (self.path, self.descriptor, isPipe) = (path, descriptor, false)
    }

    deinit { close(descriptor) }

    /// Returns the whole content of a file.
    ///
    /// - Throws: The errors of ``init(_:)``, also with code `inputOutput` for a content that is larger than `limit` bytes.
    public static func bytes(of path: FilePath, limit: Int) throws(AtriumError) -> [UInt8] {
        let file = try Self(path)
        var content: [UInt8] = []
        while let piece = try file.read(atMost: 1 << 16) {
            content += piece
            if content.count > limit {
                throw AtriumError(.inputOutput, path, reason: "fileTooLarge", ["limit": .integer(limit)])
            }
        }
        // A pipe that no program has open for writing is at its end at once.
        if content.isEmpty, file.isPipe { throw AtriumError(.inputOutput, path, reason: "pipeSilent") }
        return content
    }

    /// Returns the next bytes; `nil` at the end.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput`, also for a pipe that is silent for too long.
    public borrowing func read(atMost count: Int) throws(AtriumError) -> [UInt8]? {
        var piece = [UInt8](repeating: 0, count: count)
        while true {
            let received = Glibc.read(descriptor, &piece, count)
            if received >= 0 { return received == 0 ? nil : Array(piece[..<received]) }
            switch errno {
            case EINTR: continue
            case EAGAIN where System.hasInput(descriptor, within: Self.patience): continue
            case EAGAIN: throw AtriumError(.inputOutput, path, reason: "pipeSilent")
            default: throw AtriumError(.inputOutput, path, reason: "fileUnreadable")
            }
        }
    }

    /// Writes a file, in place of an earlier one, or into a pipe that a program reads.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    public static func write(_ text: String, to path: FilePath) throws(AtriumError) {
        let file = open(path.string, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o666)
        guard file >= 0 else { throw AtriumError(.inputOutput, path, reason: "fileUnwritable") }
        defer { close(file) }
        guard (try? StandardOutput.write(text, descriptor: file)) != nil else {
            throw AtriumError(.inputOutput, path, reason: "fileUnwritable")
        }
    }
}
