import CTransfer

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

    /// The part, or nil for the whole file.
    var range: String? { offset > 0 ? "\(offset)-" : nil }

    /// The header line with the condition for a part, or nil for none.
    var rangeCondition: String? { offset > 0 ? ifRange.map { "If-Range: \($0)" } : nil }

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

/// The head of a response.
public struct HTTPResponse: Hashable, Sendable {
    /// The status: 200 for the whole file, 206 for a part.
    public let status: Int
    /// The header fields that are used, by their names in lowercase. A repeated field has no value but a comma.
    public let fields: [String: String]

    /// Reads the head of the last response.
    init(of transfer: UnsafeMutableRawPointer) {
        status = transfer_status(transfer)
        fields = ["content-length", "content-range", "content-encoding", "etag"].reduce(into: [:]) { fields, name in
            fields[name] = transfer_header(transfer, name).map { String(cString: $0) }
        }
    }

    /// The length of the body, if the server says it.
    public var contentLength: Int64? { fields["content-length"].flatMap { Int64($0) } }
    /// The entity tag, if it is a strong one, which identifies the bytes.
    public var entityTag: String? {
        // A weak one begins with W/.
        fields["etag"].flatMap { tag in
            let isQuoted = tag.utf8.count >= 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"")
            return isQuoted && !tag.dropFirst().dropLast().contains("\"") ? tag : nil
        }
    }
    /// The first byte of the part and the length of the whole file, if the response is a part and says both.
    public var contentRange: (first: Int64, length: Int64?)? {
        // bytes 5-99/100
        guard status == 206, let range = fields["content-range"], range.hasPrefix("bytes ") else { return nil }
        let parts = range.dropFirst(6).split(separator: "/")
        guard parts.count == 2, let first = parts[0].split(separator: "-").first.flatMap({ Int64($0) }) else {
            return nil
        }
        return (first, Int64(parts[1]))
    }
}
