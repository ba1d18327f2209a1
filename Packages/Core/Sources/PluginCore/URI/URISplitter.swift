/// Splits the text of an address into its parts, then decodes each of them.
///
/// It works on bytes, because a `Character` may contain a separator: `/` followed by a combining mark is one character but still a slash.
struct URISplitter {
    private let text: String
    private let query: QueryCoding

    init(_ text: String, query: QueryCoding = .plain) {
        self.query = query
        self.text = text
    }

    func split() throws(AtriumError) -> ResourceURI {
        let bytes = text.utf8.span
        let layout = URILayout(of: bytes)
        let isPlain = layout.isPlain
        let segments = try segments(of: bytes.extracting(layout.path), part: "path", isPlain)
        let items = try items(of: bytes.extracting(layout.query), part: "query", query, isPlain)
        var fragment: String?
        var fragmentParts: FragmentParts?
        if let range = layout.fragment, let path = layout.fragmentPath {
            _ = try decode(bytes.extracting(range), part: "fragment", .plain, isPlain)
            fragment = bytes.extracting(range).string
            fragmentParts = FragmentParts(
                segments: try self.segments(of: bytes.extracting(path), part: "fragment", isPlain),
                parameters: URIParameters(
                    try self.items(of: bytes.extracting(layout.fragmentQuery), part: "fragment", .plain, isPlain))
            )
        }
        return ResourceURI(
            text: text, scheme: layout.scheme.map { bytes.extracting($0).string.lowercased() },
            hasAuthority: layout.hasAuthority, segments: segments, parameters: URIParameters(items),
            fragment: fragment, fragmentParts
        )
    }

    private func segments(of bytes: Span<UInt8>, part: String, _ isPlain: Bool) throws(AtriumError) -> [String] {
        if bytes.isEmpty { return [] }
        var count = 1
        for index in bytes.indices where bytes[index] == .slash { count += 1 }
        var segments: [String] = []
        segments.reserveCapacity(count)
        var start = 0
        for index in 0...bytes.count where index == bytes.count || bytes[index] == .slash {
            segments.append(try decode(bytes.extracting(start..<index), part: part, .plain, isPlain))
            start = index + 1
        }
        return segments
    }

    /// Returns the query items: the parts between ampersands, split at the first equals sign. Empty parts are skipped.
    private func items(
        of bytes: Span<UInt8>, part: String, _ coding: QueryCoding, _ isPlain: Bool
    ) throws(AtriumError) -> [URIParameters.Item] {
        var items: [URIParameters.Item] = []
        if bytes.isEmpty { return items }
        var (start, equals) = (0, -1)
        for index in 0...bytes.count {
            if index < bytes.count, bytes[index] != .ampersand {
                if bytes[index] == .equals, equals < 0 { equals = index }
                continue
            }
            if start < index {
                let nameEnd = equals < 0 ? index : equals
                let name = try decode(bytes.extracting(start..<nameEnd), part: part, coding, isPlain)
                let valueStart = min(nameEnd + 1, index)
                let value = try decode(bytes.extracting(valueStart..<index), part: part, coding, isPlain)
                items.append(URIParameters.Item(name: name, value: value))
            }
            (start, equals) = (index + 1, -1)
        }
        return items
    }

    /// - Parameter isPlain: whether the whole address has no escape, so that each part is its own decoded text.
    private func decode(
        _ piece: Span<UInt8>, part: String, _ coding: QueryCoding, _ isPlain: Bool
    ) throws(AtriumError) -> String {
        if isPlain, coding == .plain { return piece.string }
        do {
            return try piece.withUnsafeBufferPointer { bytes throws(PercentCoding.Problem) in
                switch coding {
                case .plain: try PercentCoding.decode(bytes)
                case .form: try PercentCoding.decode(bytes.map { $0 == .plus ? .space : $0 })
                }
            }
        } catch {
            throw AtriumError(.uriMalformed, text, detail: "\(error.clause) in \"\(piece.string)\" (\(part))")
        }
    }
}

extension Span<UInt8> {
    /// The text of a piece of an address, which is cut at ASCII and so is UTF-8.
    fileprivate var string: String { withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }
}
