/// Splits the text of an address into its parts, then decodes each of them.
///
/// It works on bytes, because a `Character` may contain a separator: `/` followed by a combining mark is one character but still a slash.
struct URISplitter {
    private let text: String
    private let bytes: [UInt8]
    private let query: QueryCoding

    init(_ text: String, query: QueryCoding = .plain) {
        self.query = query
        self.text = text
        self.bytes = Array(text.utf8)
    }

    func split() throws(AtriumError) -> ResourceURI {
        let layout = URILayout(of: bytes.span)
        let segments = try self.segments(layout.path, part: "path")
        let items = try self.items(layout.query, part: "query", query)
        var fragment: String?
        if let range = layout.fragment {
            _ = try decode(bytes[range], part: "fragment")
            fragment = String(decoding: bytes[range], as: UTF8.self)
        }
        return ResourceURI(
            text: text,
            scheme: layout.scheme.map { String(decoding: bytes[$0].map(\.lowercasedASCII), as: UTF8.self) },
            hasAuthority: layout.hasAuthority, segments: segments, parameters: URIParameters(items),
            fragment: fragment
        )
    }

    /// Returns the fragment interpreted as an address: a path and a query, or nil without a fragment.
    func splitFragment() throws(AtriumError) -> (segments: [String], parameters: URIParameters)? {
        let layout = URILayout(of: bytes.span)
        guard let path = layout.fragmentPath else { return nil }
        let items = try self.items(layout.fragmentQuery, part: "fragment", .plain)
        return (try segments(path, part: "fragment"), URIParameters(items))
    }

    private func segments(_ range: Range<Int>, part: String) throws(AtriumError) -> [String] {
        var segments: [String] = []
        guard !range.isEmpty else { return segments }
        for piece in bytes[range].split(separator: .slash, omittingEmptySubsequences: false) {
            segments.append(try decode(piece, part: part))
        }
        return segments
    }

    /// Returns the query items: the parts between ampersands, split at the first equals sign. Empty parts are skipped.
    private func items(
        _ range: Range<Int>, part: String, _ coding: QueryCoding
    ) throws(AtriumError) -> [URIParameters.Item] {
        var items: [URIParameters.Item] = []
        for piece in bytes[range].split(separator: .ampersand, omittingEmptySubsequences: true) {
            let equals = piece.firstIndex(of: .equals)
            let name = try decode(piece[..<(equals ?? piece.endIndex)], part: part, coding)
            let value = try equals.map { index throws(AtriumError) in
                try decode(piece[(index + 1)...], part: part, coding)
            }
            items.append(URIParameters.Item(name: name, value: value ?? ""))
        }
        return items
    }

    private func decode(
        _ piece: ArraySlice<UInt8>, part: String, _ coding: QueryCoding = .plain
    ) throws(AtriumError) -> String {
        do {
            return switch coding {
            case .plain: try PercentCoding.decode(piece)
            case .form: try PercentCoding.decode(piece.map { $0 == .plus ? .space : $0 })
            }
        } catch {
            let quoted = String(decoding: piece, as: UTF8.self)
            throw AtriumError(.uriMalformed, text, detail: "\(error.clause) in \"\(quoted)\" (\(part))")
        }
    }
}
