/// The reason why a request got no complete response.
public struct HTTPError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error, for a switch.
    public package(set) var code: Code
    /// The address of the request, without a password.
    public package(set) var address: String
    /// The status of the response, or nil if there was none.
    public let status: Int?
    /// A short detail for logs.
    public let detail: String
    /// The time after which the server wants the next request, or nil if it does not say.
    public let retryAfter: Duration?
    /// The number of requests that were made, or 0 if it was not counted.
    public package(set) var attempts = 0

    package init(
        _ code: Code, _ address: String, status: Int? = nil, detail: String = "", retryAfter: Duration? = nil
    ) {
        self.code = code
        self.address = HTTPRequest.redacted(address)
        self.status = status
        self.detail = detail
        self.retryAfter = retryAfter
    }

    /// A line for logs with code, address, status, detail and attempts.
    public var description: String {
        "\(code.rawValue): \(address.debugDescription)" + (status.map { ": status \($0)" } ?? "")
            + (detail.isEmpty ? "" : ": \(detail)") + (attempts == 0 ? "" : " (attempt \(attempts))")
    }
}

extension HTTPError {
    /// The kind of an error. Later versions may add more kinds.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name for logs and other processes.
        public let rawValue: String

        /// Creates a code from its stable name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The address is not one of HTTP, or contains characters that must be percent-encoded.
        public static let addressInvalid = Code(rawValue: "address-invalid")
        /// The server has no such file (404 or 410), or does not show it (403), as some stores answer for a missing file.
        public static let notFound = Code(rawValue: "not-found")
        /// Another status than success.
        public static let statusUnexpected = Code(rawValue: "status-unexpected")
        /// No connection: an unknown name, a closed port, or a failed handshake.
        public static let unreachable = Code(rawValue: "unreachable")
        /// The server's certificate is not trusted, or the file of authorities cannot be read.
        public static let certificateInvalid = Code(rawValue: "certificate-invalid")
        /// The deadline passed, or the server was slower than the slowest rate.
        public static let timedOut = Code(rawValue: "timed-out")
        /// Too many redirects, or one to an address that is not allowed.
        public static let redirected = Code(rawValue: "redirected")
        /// The connection ended in the middle of the response, or the response breaks the protocol.
        public static let broken = Code(rawValue: "broken")
        /// The response is encoded, although the request does not allow that.
        public static let encoded = Code(rawValue: "encoded")
        /// The receiver ended the transfer.
        public static let stopped = Code(rawValue: "stopped")
        /// The surrounding task was canceled.
        public static let canceled = Code(rawValue: "canceled")
        /// libcurl is not installed or has no memory.
        public static let unavailable = Code(rawValue: "unavailable")
    }
}
