/// Cuts the text of an address into its parts, then decodes each of them.
///
/// Works on bytes, because a `Character` may swallow a separator: `/` followed by a combining mark is one character and
/// still a slash.
struct URISplitter {
    private let text: String
    private let bytes: [UInt8]

    init(_ text: String) {
        self.text = text
        self.bytes = Array(text.utf8)
    }

    func split() throws(AtriumError) -> ResourceURI {
        let hash = bytes.firstIndex(of: .hash) ?? bytes.endIndex
        let question = bytes[..<hash].firstIndex(of: .question) ?? hash
        let schemeEnd = Self.schemeEnd(of: bytes[..<question])
        let scheme = schemeEnd.map { String(decoding: bytes[..<$0].map(\.lowercasedASCII), as: UTF8.self) }
        var path = bytes[(schemeEnd.map { $0 + 3 } ?? 0)..<question]
        // `scheme:///p` has an empty authority: it is the ignored leading slash.
        let hasLeadingSlash = path.first == .slash
        if hasLeadingSlash { path = path.dropFirst() }
        if path.last == .slash { path = path.dropLast() }

        var segments: [String] = []
        if !path.isEmpty {
            for piece in path.split(separator: .slash, omittingEmptySubsequences: false) {
                segments.append(try decode(piece, part: "path"))
            }
        }
        let query = question < hash ? bytes[(question + 1)..<hash] : []
        let items = try self.items(query, part: "query")
        var fragment: String?
        if hash < bytes.endIndex {
            let raw = bytes[(hash + 1)...]
            _ = try decode(raw, part: "fragment")
            fragment = String(decoding: raw, as: UTF8.self)
        }
        return ResourceURI(
            text: text, scheme: scheme, hasAuthority: scheme != nil && !hasLeadingSlash && !segments.isEmpty,
            segments: segments, parameters: URIParameters(items), fragment: fragment
        )
    }

    /// The index of the `:` when the text starts with an RFC 3986 scheme and `://`.
    private static func schemeEnd(of head: ArraySlice<UInt8>) -> Int? {
        guard let first = head.first, first.isASCIILetter else { return nil }
        guard let end = head.firstIndex(where: { !$0.isSchemeByte }) else { return nil }
        return head[end...].starts(with: [.colon, .slash, .slash]) ? end : nil
    }

    /// Pairs between `&`, cut at the first `=`; empty pieces are skipped, a missing value is empty.
    private func items(_ query: ArraySlice<UInt8>, part: String) throws(AtriumError) -> [URIParameters.Item] {
        var items: [URIParameters.Item] = []
        for piece in query.split(separator: .ampersand, omittingEmptySubsequences: true) {
            let equals = piece.firstIndex(of: .equals)
            let name = try decode(piece[..<(equals ?? piece.endIndex)], part: part)
            let value = try equals.map { index throws(AtriumError) in try decode(piece[(index + 1)...], part: part) }
            items.append(URIParameters.Item(name: name, value: value ?? ""))
        }
        return items
    }

    private func decode(_ piece: ArraySlice<UInt8>, part: String) throws(AtriumError) -> String {
        do {
            return try PercentCoding.decode(piece)
        } catch {
            let quoted = String(decoding: piece, as: UTF8.self)
            throw AtriumError(.uriMalformed, text, detail: "\(error.clause) in \"\(quoted)\" (\(part))")
        }
    }
}
