public import HTTPTransfer
import HostSystem

/// A file that is downloaded in pieces, over as many attempts as it takes.
///
/// ```swift
/// let request = DownloadRequest(
///     mirrors: ["https://example.org/shop-1.1.0.zip", "https://mirror.example.net/shop-1.1.0.zip"],
///     length: 1_234_567, sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
/// ```
public struct DownloadRequest: Hashable, Sendable {
    /// The complete addresses of the file, of which the first one that works is used.
    public var mirrors: [String]
    /// The exact length in bytes.
    public var length: Int64
    /// The SHA-256 digest of the content in lowercase hexadecimal digits.
    public var sha256: String
    /// A file with certificate authorities in PEM in place of the system's, or nil.
    public var authorities: String?
    /// The limits in time, rate and number of attempts.
    public var limits = DownloadLimits()

    /// Creates a request.
    public init(mirrors: [String], length: Int64, sha256: String) {
        self.mirrors = mirrors
        self.length = length
        self.sha256 = sha256
    }
}

extension DownloadRequest {
    /// The reason why the request or the name of its file cannot be used, or nil.
    func problem(name: String) -> String? {
        // A name that begins with a dot could be that of a partial file.
        guard !name.isEmpty, !name.hasPrefix("."), name.utf8.count <= 200,
            !name.utf8.contains(where: { $0 == 0x2F || $0 == 0 })
        else { return "the name \(name.debugDescription) cannot be that of a file here" }
        guard !mirrors.isEmpty else { return "there is no mirror" }
        guard length >= 0 else { return "the length is negative" }
        let isDigest = sha256.utf8.count == 64 && sha256.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
        return isDigest ? nil : "the digest is not one of SHA-256 in lowercase hexadecimal digits"
    }
}

/// The limits of one download in time, rate and number of attempts.
public struct DownloadLimits: Hashable, Sendable {
    /// The time for everything.
    public var total: Duration = .seconds(3600)
    /// The number of attempts at each mirror, one after another, that bring nothing.
    public var attempts = 4
    /// The length of content in bytes that counts as progress.
    public var progressLength: Int64 = 1 << 16
    /// The pause after the first attempt that failed. Each further one takes twice as long.
    public var firstPause: Duration = .milliseconds(500)
    /// The longest pause. A mirror that asks for a longer one is not tried again.
    public var longestPause: Duration = .seconds(30)
    /// The limits of each attempt, whose total is that of the download.
    public var deadlines = HTTPDeadlines()

    /// Creates the limits for a file of any length.
    public init() { deadlines.slowestRate = 1000 }
}

/// The state of a download at one time.
public struct DownloadProgress: Hashable, Sendable {
    /// The number of bytes that are there, with those of earlier attempts.
    public let received: Int64
    /// The length of the file in bytes.
    public let total: Int64
}

/// The reason why a file was not downloaded. The address is that of the last attempt, or the name of the file if there was none.
public typealias DownloadError = HTTPError

typealias Folder = Descriptor<DownloadError>

extension DownloadError: SystemFailure {
    package init(errno: Int32, path: String) {
        let code: Code = FileSystem.isStorageFull(errno) ? .diskFull : .fileFailed
        self.init(code, "", detail: Self.text(errno: errno, path: path))
    }

    /// Returns the error with the name of the file, unless it has an address, and with the number of attempts.
    func about(_ name: String, attempt: Int? = nil) -> DownloadError {
        var error = self
        if address.isEmpty { error.address = HTTPRequest.redacted(name) }
        error.attempts = attempt ?? attempts
        return error
    }
}
