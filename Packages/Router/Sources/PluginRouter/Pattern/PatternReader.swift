import PluginCore

/// The parser of route patterns: scheme, path, fragment, and all expansions of optional groups.
struct PatternReader {
    /// The segments of a path, once for each expansion.
    typealias Alternatives = [[RoutePattern.Segment]]

    private let text: String
    private let bytes: [UInt8]
    let converters: RouteConverters
    /// The names of all captures so far.
    private var names: Set<String> = []
    /// The open groups. It is explicit, so that deep nesting cannot exhaust the thread's stack.
    private var stack: [Alternatives] = []

    init(_ text: String, converters: RouteConverters) {
        self.text = text
        bytes = Array(text.utf8)
        self.converters = converters
    }

    /// Parses the pattern. Without a fragment, nil is the only alternative for it.
    mutating func read() throws(AtriumError) -> (
        scheme: String?, paths: Alternatives, fragments: [Alternatives.Element?]
    ) {
        // A pattern is split like an address.
        let layout = URILayout(of: bytes.span)
        if bytes.contains(UInt8(ascii: "?")) { throw problem(reason: "patternQuery") }
        let paths = try path(layout.path)
        var fragments: [Alternatives.Element?] = [nil]
        if let fragment = layout.fragment {
            guard !bytes[fragment].contains(.hash) else { throw problem(reason: "hashTwice") }
            let (start, path) = (
                fragment.lowerBound, URILayout(of: bytes.span.extracting(fragment), isFragment: true).path
            )
            let found = try self.path((start + path.lowerBound)..<(start + path.upperBound))
            guard ![paths, found].allSatisfy({ $0.contains { $0.last?.isRest == true } }) else {
                throw problem(reason: "restTwice")
            }
            fragments = found
        }
        guard paths.count * fragments.count <= RoutePattern.maximumExpansions else { throw tooManyExpansions }
        let scheme = layout.scheme.map { String(decoding: bytes[$0].map(\.lowercased), as: UTF8.self) }
        return (scheme, paths, fragments)
    }

    /// Parses the segments and groups of a path.
    private mutating func path(_ range: Range<Int>) throws(AtriumError) -> Alternatives {
        guard !range.isEmpty else { return [[]] }
        stack = [[[]]]
        var index = range.lowerBound
        var isAtSegment = true
        while index < range.upperBound {
            switch bytes[index] {
            case UInt8(ascii: "("):
                guard index + 1 < range.upperBound, bytes[index + 1] == .slash else {
                    throw problem(reason: "groupStart")
                }
                guard !isAtSegment || index == range.lowerBound else { throw problem(reason: "groupAfterSlash") }
                stack.append([[]])
                (index, isAtSegment) = (index + 2, true)
            case UInt8(ascii: ")"):
                guard !isAtSegment else { throw problem(reason: "segmentMissing") }
                try closeGroup()
                index += 1
            case .slash where !isAtSegment:
                (index, isAtSegment) = (index + 1, true)
            default:
                guard isAtSegment else { throw problem(reason: "groupEnd") }
                let end = bytes[index..<range.upperBound].firstIndex { "/()".utf8.contains($0) } ?? range.upperBound
                try append(try segment(bytes[index..<end]))
                (index, isAtSegment) = (end, false)
            }
        }
        if isAtSegment { try append(.literal("")) }
        guard stack.count == 1 else { throw problem(reason: "groupOpen") }
        return stack[0]
    }

    private mutating func append(_ segment: RoutePattern.Segment) throws(AtriumError) {
        for name in segment.names where !names.insert(name).inserted {
            throw problem(reason: "captureTwice", ["name": "\(name)"])
        }
        let top = stack.count - 1
        for index in stack[top].indices {
            if stack[top][index].last?.isRest == true { throw problem(reason: "restNotLast") }
            stack[top][index].append(segment)
        }
        try checkSize(stack[top])
    }

    private mutating func closeGroup() throws(AtriumError) {
        guard stack.count > 1, let inner = stack.popLast() else { throw problem(reason: "groupClosed") }
        let outer = stack[stack.count - 1]
        if outer.contains(where: { $0.last?.isRest == true }) { throw problem(reason: "restNotLast") }
        guard outer.count * (inner.count + 1) <= RoutePattern.maximumExpansions else { throw tooManyExpansions }
        let joined = outer + outer.flatMap { start in inner.map { start + $0 } }
        try checkSize(joined)
        stack[stack.count - 1] = joined
    }

    private func checkSize(_ alternatives: Alternatives) throws(AtriumError) {
        guard alternatives.count > 1 else { return }
        let segments = alternatives.reduce(0) { $0 + $1.count }
        guard segments <= RoutePattern.maximumExpansions * 64 else { throw tooManyExpansions }
    }

    /// Returns an error for the pattern.
    func problem(reason: String, _ values: [String: ErrorReason.Value] = [:]) -> AtriumError {
        AtriumError(.patternMalformed, text, reason: reason, values)
    }

    private var tooManyExpansions: AtriumError {
        problem(reason: "tooManyExpansions", ["limit": .integer(RoutePattern.maximumExpansions)])
    }
}
