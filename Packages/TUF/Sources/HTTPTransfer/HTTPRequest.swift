/// A request for a file.
///
/// ```swift
/// var request = HTTPRequest("https://example.org/shop-1.1.0.zip")
/// request.offset = 1_000_000
/// request.ifRange = response.entityTag
/// ```
public struct HTTPRequest: Hashable, Sendable {
    /// The address, with the scheme `http` or `https`.
    public var address: String
    /// The offset of the first byte. A server may ignore it and send everything with the status 200.
    public var offset: Int64 = 0
    /// The entity tag that the file must still have for the offset to be used.
    ///
    /// See RFC 9110, section 13.1.5.
    public var ifRange: String?
    /// The limits in time.
    public var deadlines = HTTPDeadlines()
    /// The maximum number of redirects. None leads from TLS to plain text.
    public var mostRedirects = 5
    /// A file with certificate authorities in PEM in place of the system's, or nil.
    public var authorities: String?

    /// Creates a request for a whole file.
    public init(_ address: String) {
        self.address = address
    }

    /// The header lines in addition to those that libcurl writes.
    var headers: [String] {
        guard offset > 0 else { return [] }
        return ["Range: bytes=\(offset)-"] + (ifRange.map { ["If-Range: \($0)"] } ?? [])
    }

    /// A Boolean value that indicates whether the address and the tag can be sent as they are.
    ///
    /// A line break in either one would begin another header line.
    var isValid: Bool {
        let isAddress = address.hasPrefix("http://") || address.hasPrefix("https://")
        let texts = address.utf8.allSatisfy { 0x21...0x7E ~= $0 }
        return isAddress && texts && offset >= 0 && (ifRange ?? "").utf8.allSatisfy { 0x20...0x7E ~= $0 }
    }
}

extension HTTPRequest {
    /// Returns an address for messages, with `***` in place of a password, as in `https://user:***@example.org`.
    public static func redacted(_ address: String) -> String {
        let parts = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count > 2, let end = parts[2].lastIndex(of: "@"), let start = parts[2][..<end].firstIndex(of: ":")
        else { return address }
        return address[...start] + "***" + address[end...]
    }
}

/// The limits in time for one request.
public struct HTTPDeadlines: Hashable, Sendable {
    /// The time for connecting.
    public var connect: Duration = .seconds(15)
    /// The time for everything, or nil for no limit.
    public var total: Duration?
    /// The slowest accepted rate in bytes a second.
    public var slowestRate = 100
    /// The time for which the server may be slower than the slowest rate.
    public var patience: Duration = .seconds(20)

    /// Creates the limits for a file of any length.
    public init(total: Duration? = nil) {
        self.total = total
    }
}

extension Duration {
    /// The duration in milliseconds, rounded up, so that a short one does not become zero.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        let fraction = Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
        // A million years is no limit.
        return Int(max(0, min(seconds, 1 << 45))) * 1000 + fraction
    }
}
