/// The decoder of the parts of an address.
///
/// It works on bytes, because a `Character` may contain a separator: `/` followed by a combining mark is one character but still a slash.
struct URIDecoder {
    /// The whole address, for errors.
    let text: String
    /// A Boolean value that indicates whether the whole address has no escape, so that each part is its own decoded text.
    let isPlain: Bool

    /// Returns the places of the segments of a path, or the decoded path if it is not ordinary.
    func path(
        _ text: Span<UInt8>, _ range: Range<Int>, part: String
    ) throws(AtriumError) -> (short: ShortPath?, decoded: DecodedPath?) {
        if let path = ShortPath(in: text.extracting(..<range.upperBound), from: range.lowerBound) { return (path, nil) }
        let bytes = text.extracting(range)
        var path = DecodedPath()
        var start = 0
        for index in 0...bytes.count where index == bytes.count || bytes[index] == .slash {
            path.append(try decode(bytes.extracting(start..<index), part: part, .plain))
            start = index + 1
        }
        return (nil, path)
    }

    /// Returns the query items: the parts between ampersands, split at the first equals sign. Empty parts are skipped.
    func items(
        of bytes: Span<UInt8>, part: String, _ coding: QueryCoding
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
                let name = try decode(bytes.extracting(start..<nameEnd), part: part, coding)
                let valueStart = min(nameEnd + 1, index)
                let value = try decode(bytes.extracting(valueStart..<index), part: part, coding)
                items.append(URIParameters.Item(name: name, value: value))
            }
            (start, equals) = (index + 1, -1)
        }
        return items
    }

    /// Returns the decoded text of a part of the address.
    func decode(_ piece: Span<UInt8>, part: String, _ coding: QueryCoding) throws(AtriumError) -> String {
        if isPlain, coding == .plain { return piece.string }
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

/// The decoded segments of a path, one after the other in one text.
struct DecodedPath: Sendable {
    private(set) var text = ""
    private(set) var ends: [Int] = []

    /// Adds a segment. A slash separates it from the one before, as in an address without escapes.
    mutating func append(_ segment: String) {
        if !ends.isEmpty { text += "/" }
        text += segment
        ends.append(text.utf8.count)
    }

    /// Returns the place of a segment in the UTF-8 of the text.
    func range(_ index: Int) -> Range<Int> {
        (index == 0 ? 0 : ends[index - 1] + 1)..<ends[index]
    }
}

extension Span<UInt8> {
    /// The text of a piece of an address, which is cut at ASCII and so is UTF-8.
    var string: String { withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }
}
