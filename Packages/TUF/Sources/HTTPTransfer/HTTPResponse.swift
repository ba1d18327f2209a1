/// The head of a response.
public struct HTTPResponse: Hashable, Sendable {
    /// The status: 200 for the whole file, 206 for a part.
    public let status: Int
    /// The header fields by their names in lowercase. The values of a repeated field are joined by commas.
    public let fields: [String: String]

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

extension HTTPResponse {
    /// The time after which the server wants the next request, or nil if it does not say.
    ///
    /// See RFC 9110, section 10.2.3. A date counts from the server's own one, because its clock may be another than the local one.
    var retryAfter: Duration? {
        guard let text = fields["retry-after"] else { return nil }
        if let seconds = Int64(text) { return .seconds(max(0, min(seconds, 1 << 32))) }
        guard let then = HTTPDate.seconds(of: text), let now = fields["date"].flatMap(HTTPDate.seconds) else {
            return nil
        }
        return .seconds(max(0, then - now))
    }
}

/// The header lines of the responses to one request, of which there are several with redirects.
struct HeaderLines {
    private var status = 0
    private var fields: [String: String] = [:]
    private var length = 0
    /// The maximum length of all header lines of a request, also of redirects.
    private static let limit = 1 << 18

    var response: HTTPResponse { HTTPResponse(status: status, fields: fields) }

    /// Appends a line. Returns false if there are too many.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        length += bytes.count
        guard length <= Self.limit else { return false }
        let line = String(decoding: bytes, as: UTF8.self)
        if line.hasPrefix("HTTP/") {
            status = line.split(separator: " ").dropFirst().first.flatMap { Int($0.prefix(3)) } ?? 0
            fields = [:]
        } else if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...].drop { $0.isWhitespace }
            let end = value.lastIndex { !$0.isWhitespace }
            let text = end.map { String(value[...$0]) } ?? ""
            let name = line[..<colon].lowercased()
            fields[name] = fields[name].map { "\($0), \(text)" } ?? text
        }
        return true
    }
}
