import Glibc
package import HostSystem

/// The reason why an archive was rejected, or could not be read or written.
///
/// ```swift
/// do {
///     try ZipArchive(path: "shop-1.0.0.zip").extract(to: "Staging/shop")
/// } catch where error.code == .unsafeName {
///     print(error.entry ?? "")
/// }
/// ```
public struct ZipError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error, for a switch.
    public let code: Code
    /// The name of the affected entry in the archive, with invalid UTF-8 replaced.
    public let entry: String?
    /// The affected file or folder on disk: that of a failed system call, or otherwise the archive.
    public let path: String?
    /// The system's error number, which is set only for failed system calls.
    public let errno: Int32?
    /// A short detail without entry and path.
    public let detail: String

    package init(_ code: Code, entry: String? = nil, path: String? = nil, errno: Int32? = nil, detail: String = "") {
        self.code = code
        self.entry = entry
        self.path = path
        self.errno = errno
        self.detail = detail
    }

    package init(_ code: Code, _ detail: String) { self.init(code, detail: detail) }

    /// The kind of an error. Later versions may add more kinds.
    public enum Code: String, Sendable {
        /// The file has no end record, so it is truncated or not a zip archive.
        case notAnArchive = "not-an-archive"
        /// A record contradicts the format, the size of the file, or the position of another record.
        case malformed
        /// The archive uses an unsupported feature: a ZIP64 end record, several disks, encryption, other methods or flags.
        case unsupported
        /// The name could lead out of the target folder, or two readers could interpret it differently.
        case unsafeName = "unsafe-name"
        /// Two entries have the same name, ignoring case and the encoding of accents, or one name is both a file and a folder.
        case nameClash = "name-clash"
        /// A symbolic link, device, socket or pipe is in the archive, or in a folder to be archived.
        case specialFile = "special-file"
        /// Two records disagree: local header and central directory, or the data descriptor and these.
        case headerMismatch = "header-mismatch"
        /// The compressed data is not a deflate stream, or ends too early or too late.
        case corruptData = "corrupt-data"
        /// The size of the content differs from the directory, or the directory contains an impossible size.
        case sizeMismatch = "size-mismatch"
        /// The CRC-32 of the content differs from the directory.
        case checksumMismatch = "checksum-mismatch"
        /// The archive exceeds a limit of the caller.
        case limitExceeded = "limit-exceeded"
        /// The archive has no file with that name.
        case noSuchEntry = "no-such-entry"
        /// The target folder already exists.
        case targetExists = "target-exists"
        /// The file changed while it was being archived.
        case changedWhileReading = "changed-while-reading"
        /// The observer of the extraction rejected an entry.
        case refused
        /// The surrounding task was canceled.
        case canceled
        /// A system call failed.
        ///
        /// See ``ZipError/path`` and ``ZipError/errno``.
        case system
    }

    /// A line for logs with code, subject and detail. Names are quoted and escaped, because an archive may contain any.
    public var description: String {
        var line = code.rawValue
        if let entry {
            line += ": entry \(entry.debugDescription)"
        }
        if let path {
            line += ": \(path.debugDescription)"
        }
        if !detail.isEmpty {
            line += ": \(detail)"
        }
        if let errno {
            line += ": \(FileSystem.message(errno)) (errno \(errno))"
        }
        return line
    }
}

package typealias FileDescriptor = Descriptor<ZipError>

extension ZipError: SystemFailure {
    package init(errno: Int32, path: String) { self.init(.system, path: path, errno: errno) }

    /// A Boolean value that indicates whether the path leads through a link that must not be followed.
    package var isLink: Bool { errno == ELOOP }

    /// Returns the error with the entry in which it occurred.
    package func inEntry(_ name: String) -> Self {
        Self(code, entry: entry ?? name, path: path, errno: errno, detail: detail)
    }

    /// Returns the error with the archive in which it occurred, unless it concerns another file.
    func inArchive(_ archive: FileDescriptor) -> Self {
        Self(code, entry: entry, path: path ?? archive.pathText, errno: errno, detail: detail)
    }
}
