/// The decoder of the parts of an address.
///
/// It works on bytes, because a `Character` may contain a separator: `/` followed by a combining mark is one character but still a slash.
struct URIDecoder {
    /// The whole address, for errors.
    let text: String

    /// Returns the whole address.
    func address(_ query: QueryCoding) throws(AtriumError) -> ResourceURI {
        let bytes = text.utf8.span
        let layout = URILayout(of: bytes)
        let segments = try segments(bytes.extracting(layout.path), part: "path")
        let items = try items(bytes.extracting(layout.query), part: "query", query)
        let details = ResourceURI.Details(
            scheme: layout.scheme.map { bytes.extracting($0).string.lowercased() }, parameters: URIParameters(items),
            fragment: try layout.fragment.map { range throws(AtriumError) in
                try address(ofFragment: bytes.extracting(range))
            })
        return ResourceURI(text, segments: segments, hasAuthority: layout.hasAuthority, details)
    }

    private func address(ofFragment bytes: Span<UInt8>) throws(AtriumError) -> ResourceURI {
        // The pieces of a well-formed fragment are well-formed, because it is split at ASCII characters.
        _ = try decode(bytes, part: "fragment", .plain)
        let layout = URILayout(ofFragment: bytes)
        let segments = try segments(bytes.extracting(layout.path), part: "fragment")
        let items = try items(bytes.extracting(layout.query), part: "fragment", .plain)
        let details = ResourceURI.Details(scheme: nil, parameters: URIParameters(items), fragment: nil)
        return ResourceURI(bytes.string, segments: segments, hasAuthority: false, details)
    }

    /// Returns the decoded segments of a path without its outer slashes.
    private func segments(_ path: Span<UInt8>, part: String) throws(AtriumError) -> [String] {
        var segments: [String] = []
        if path.isEmpty { return segments }
        var start = 0
        while start <= path.count {
            let end = path.index(of: .slash, in: start..<path.count)
            segments.append(try decode(path.extracting(start..<end), part: part, .plain))
            start = end + 1
        }
        return segments
    }

    /// Returns the query items: the parts between ampersands, split at the first equals sign. Empty parts are skipped.
    private func items(
        _ query: Span<UInt8>, part: String, _ coding: QueryCoding
    ) throws(AtriumError) -> [URIParameters.Item] {
        var items: [URIParameters.Item] = []
        var start = 0
        while start < query.count {
            let end = query.index(of: .ampersand, in: start..<query.count)
            if start < end {
                let equals = query.index(of: .equals, in: start..<end)
                let name = try decode(query.extracting(start..<equals), part: part, coding)
                let value = try decode(query.extracting(min(equals + 1, end)..<end), part: part, coding)
                items.append(URIParameters.Item(name: name, value: value))
            }
            start = end + 1
        }
        return items
    }

    /// Returns the decoded text of a part of the address.
    private func decode(_ piece: Span<UInt8>, part: String, _ coding: QueryCoding) throws(AtriumError) -> String {
        if coding == .plain, piece.isDecoded { return piece.string }
        do {
            return try piece.withUnsafeBufferPointer { bytes throws(PercentCoding.Problem) in
                switch coding {
                case .plain: try PercentCoding.decode(bytes)
                case .form: try PercentCoding.decode(bytes.map { $0 == .plus ? .space : $0 })
                }
            }
        } catch {
            throw AtriumError(
                .uriMalformed, text, reason: "malformedPart",
                ["problem": .reason(error.reason), "piece": .text(piece.string), "part": .text(part)])
        }
    }
}

extension Span<UInt8> {
    /// A Boolean value that indicates whether there is no escape and no NUL, so that the text stands for itself.
    fileprivate var isDecoded: Bool {
        for index in indices where self[index] == .percent || self[index] == 0 { return false }
        return true
    }
}
