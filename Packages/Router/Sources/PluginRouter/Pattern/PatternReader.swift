import PluginCore

/// Cuts a pattern's text into scheme and segments.
struct PatternReader {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    func read() throws(AtriumError) -> (scheme: String?, segments: [RoutePattern.Segment]) {
        for byte in text.utf8 where "*()<>{}#?".utf8.contains(byte) {
            throw malformed("\"\(Character(UnicodeScalar(byte)))\" has no meaning here; write it as an escape")
        }
        // A pattern is cut as an address is: the same rules for scheme, slashes and escapes.
        let uri: ResourceURI
        do {
            uri = try ResourceURI(text)
        } catch {
            throw malformed(error.detail)
        }
        var segments: [RoutePattern.Segment] = []
        var names: Set<String> = []
        for raw in rawSegments() {
            let segment = try segment(raw, decoded: uri.segments[segments.count])
            if case .capture(let name) = segment, !names.insert(name).inserted {
                throw malformed("the capture \"\(name)\" occurs twice")
            }
            segments.append(segment)
        }
        return (uri.scheme, segments)
    }

    /// The segments before decoding: `%3A` must not become the colon of a capture.
    private func rawSegments() -> [Substring.UTF8View.SubSequence] {
        var path = text[...].utf8
        if let end = path.firstIndex(of: UInt8(ascii: ":")), path[end...].starts(with: "://".utf8),
            let uri = try? ResourceURI(text), uri.scheme != nil
        {
            path = path[path.index(end, offsetBy: 3)...]
        }
        if path.first == UInt8(ascii: "/") { path = path.dropFirst() }
        if path.last == UInt8(ascii: "/") { path = path.dropLast() }
        return path.isEmpty ? [] : path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    }

    private func segment(
        _ raw: Substring.UTF8View.SubSequence, decoded: String
    ) throws(AtriumError) -> RoutePattern.Segment {
        guard let colon = raw.firstIndex(of: UInt8(ascii: ":")) else { return .literal(decoded) }
        let after = raw[raw.index(after: colon)...]
        guard colon == raw.startIndex else {
            // A colon that no name follows is a literal one, as in `host:80`.
            guard let next = after.first, next.isNameStart else { return .literal(decoded) }
            throw malformed("a capture takes a whole segment")
        }
        guard let first = after.first, first.isNameStart, after.allSatisfy({ $0.isNameByte }) else {
            throw malformed("a capture is a colon and a name of letters, digits and underscores")
        }
        return .capture(String(decoding: after, as: UTF8.self))
    }

    private func malformed(_ detail: String) -> AtriumError {
        AtriumError(.patternMalformed, text, detail: detail)
    }
}

extension UInt8 {
    fileprivate var isNameStart: Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= self || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self
            || self == UInt8(ascii: "_")
    }

    fileprivate var isNameByte: Bool {
        isNameStart || UInt8(ascii: "0")...UInt8(ascii: "9") ~= self
    }
}
