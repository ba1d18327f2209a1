internal import HTTPTransfer

/// The reason why a file was not downloaded.
public struct DownloadError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error, for a switch.
    public let code: Code
    /// The address of the last attempt without a password, or the name of the file if there was none.
    public let address: String
    /// A short detail for logs.
    public let detail: String
    /// The number of requests that were made.
    public let attempts: Int

    init(_ code: Code, _ address: String, detail: String = "", attempts: Int = 0) {
        self.code = code
        self.address = HTTPRequest.redacted(address)
        self.detail = detail
        self.attempts = attempts
    }

    /// A line for logs with code, address, detail and attempts.
    public var description: String {
        "\(code.rawValue): \(address.debugDescription)" + (detail.isEmpty ? "" : ": \(detail)")
            + (attempts == 0 ? "" : " (attempt \(attempts))")
    }
}

extension DownloadError {
    /// The kind of an error. Later versions may add more kinds.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name for logs and other processes.
        public let rawValue: String

        /// Creates a code from its stable name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }
}

extension DownloadError.Code {
    /// The request has no mirror, no valid length or digest, or a name that cannot be that of a file.
    public static let requestInvalid = Self(rawValue: "request-invalid")
    /// The surrounding task was canceled. The part that has arrived is used next time.
    public static let canceled = Self(rawValue: "canceled")
    /// The time for everything has passed.
    public static let deadlineExceeded = Self(rawValue: "deadline-exceeded")
    /// The disk is full.
    public static let diskFull = Self(rawValue: "disk-full")
    /// A local file could not be read or written.
    public static let fileFailed = Self(rawValue: "file-failed")
    /// libcurl or libcrypto is not installed or has no memory.
    public static let unavailable = Self(rawValue: "unavailable")
    /// The mirror has a file of another length.
    public static let lengthMismatch = Self(rawValue: "length-mismatch")
    /// The mirror has a file with another content.
    public static let hashMismatch = Self(rawValue: "hash-mismatch")
    /// The mirror answered with another part of the file than the one that was requested.
    public static let rangeInvalid = Self(rawValue: "range-invalid")
    /// The address is not one of HTTP, or contains characters that must be percent-encoded.
    public static let addressInvalid = Self(rawValue: "address-invalid")
    /// The mirror has no such file, or does not show it.
    public static let notFound = Self(rawValue: "not-found")
    /// Another status than success, such as that of an overloaded server.
    public static let statusUnexpected = Self(rawValue: "status-unexpected")
    /// No connection: an unknown name, a closed port, or a failed handshake.
    public static let unreachable = Self(rawValue: "unreachable")
    /// The mirror's certificate is not trusted.
    public static let certificateInvalid = Self(rawValue: "certificate-invalid")
    /// The mirror was slower than the slowest rate.
    public static let timedOut = Self(rawValue: "timed-out")
    /// Too many redirects, or one to an address that is not allowed.
    public static let redirected = Self(rawValue: "redirected")
    /// The connection ended in the middle of the response, or the response breaks the protocol.
    public static let broken = Self(rawValue: "broken")
    /// The response is encoded, although the request does not allow that.
    public static let encoded = Self(rawValue: "encoded")
}
