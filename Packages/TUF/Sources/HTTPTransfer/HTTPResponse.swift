/// The head of a response.
public struct HTTPResponse: Hashable, Sendable {
    /// The status: 200 for the whole file, 206 for a part.
    public let status: Int
    /// The header fields by their names in lowercase. Of a repeated field, the last value.
    public let fields: [String: String]

    /// The length of the body, if the server says it.
    public var contentLength: Int64? { fields["content-length"].flatMap { Int64($0) } }
    /// The entity tag, if it is a strong one, which identifies the bytes.
    public var entityTag: String? {
        fields["etag"].flatMap { $0.hasPrefix("W/") ? nil : $0 }
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

/// The header lines of the responses to one request, of which there are several with redirects.
struct HeaderLines {
    private var status = 0
    private var fields: [String: String] = [:]

    var response: HTTPResponse { HTTPResponse(status: status, fields: fields) }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        let line = String(decoding: bytes, as: UTF8.self)
        if line.hasPrefix("HTTP/") {
            status = line.split(separator: " ").dropFirst().first.flatMap { Int($0.prefix(3)) } ?? 0
            fields = [:]
        } else if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...].drop { $0.isWhitespace }
            let end = value.lastIndex { !$0.isWhitespace }
            fields[line[..<colon].lowercased()] = end.map { String(value[...$0]) } ?? ""
        }
    }
}
