import PluginCore

extension RoutePattern {
    /// A pattern segment: the part between slashes.
    public enum Segment: Hashable, Sendable {
        /// A literal, decoded.
        case literal(String)
        /// A mixture of literals and captures.
        case partial(PartialSegment)
        /// A capture with a type.
        case typed(String, RouteConverter)
        /// A capture.
        case capture(String)
        /// A segment that is not captured.
        case any
        /// All remaining segments, including none.
        case rest(String)
    }
}

extension RoutePattern.Segment {
    /// The canonical form, in which the names of captures do not count.
    var canonicalKey: String { description.key }
    /// The names of the captures in order.
    var names: [String] { description.names }
    /// A decoded text that the segment matches, or nil if the segment can be omitted.
    var example: String? { description.example }

    private var description: (key: String, names: [String], example: String?) {
        switch self {
        case .literal(let text): (PercentCoding.encode(text), [], text)
        case .partial(let partial):
            (
                partial.canonicalKey, partial.names,
                partial.names.indices.reduce(partial.literals[0]) { $0 + partial.names[$1] + partial.literals[$1 + 1] }
            )
        case .typed(let name, let converter): (":<\(converter.name)>", [name], converter.example)
        case .capture(let name): (":", [name], name)
        case .any: ("*", [], "any")
        case .rest(let name): ("**", [name], nil)
        }
    }

    var isRest: Bool {
        if case .rest = self { true } else { false }
    }
}

/// A pattern segment that mixes literals and captures, such as a file name with an extension.
public struct PartialSegment: Hashable, Sendable {
    /// The names of the captures in order. There is at least one.
    public let names: [String]
    /// The decoded text before, between and after the captures: one more than there are names. Any of them may be empty.
    public let literals: [String]
    private let scalars: [[Unicode.Scalar]]

    init(names: [String], literals: [String]) {
        self.names = names
        self.literals = literals
        scalars = literals.map { Array($0.unicodeScalars) }
    }

    /// Returns the captures of a segment, or nil if it does not match. Each capture has at least one character, and the leftmost is as
    /// long as possible.
    ///
    /// The literals are placed from right to left, each as far right as possible. This gives each capture the latest possible end, whatever
    /// the captures before it contain, so backtracking is never necessary.
    func captures(_ segment: String) -> [String]? {
        let (text, head) = (Array(segment.unicodeScalars), scalars[0].count)
        var start = text.count - scalars[names.count].count
        guard start > head, text.starts(with: scalars[0]), text[start...].elementsEqual(scalars[names.count]) else {
            return nil
        }
        var captures: [String] = []
        for literal in scalars[1..<names.count].reversed() {
            let end = start
            // The capture after this literal has at least one character.
            start = end - 1 - literal.count
            while start > head, !text[start...].starts(with: literal) { start -= 1 }
            guard start > head else { return nil }
            captures.append(String(String.UnicodeScalarView(text[(start + literal.count)..<end])))
        }
        captures.append(String(String.UnicodeScalarView(text[head..<start])))
        return captures.reversed()
    }

    /// The canonical form, in which the names of captures do not count.
    var canonicalKey: String {
        literals.map(PercentCoding.encode).joined(separator: ":")
    }
}

extension PatternReader {
    /// Parses one segment.
    ///
    /// The segment is split first, and then each literal is decoded, so an escape never acts as a separator.
    func segment(_ raw: ArraySlice<UInt8>) throws(AtriumError) -> RoutePattern.Segment {
        if raw.first == .star { return try wildcard(raw) }
        for byte in raw where byte == .star || byte == UInt8(ascii: "?") {
            throw problem(reason: "characterInSegment", ["character": "\(spelling([byte]))"])
        }
        var (names, literals): ([String], [String]) = ([], [])
        var (literal, rest): ([UInt8], ArraySlice<UInt8>) = ([], raw)
        while let byte = rest.popFirst() {
            if "<>{}".utf8.contains(byte) {
                throw problem(reason: "characterHere", ["character": "\(spelling([byte]))"])
            }
            let isFirst = names.isEmpty && literal.isEmpty
            let isBraced = rest.first == UInt8(ascii: "{")
            guard byte == .colon, let name = try capture(&rest, isFirst: isFirst) else {
                literal.append(byte)
                continue
            }
            if rest.first == UInt8(ascii: "<") {
                guard isFirst, !isBraced else { throw problem(reason: "converterNotWhole") }
                return .typed(name, try converter(rest.dropFirst()))
            }
            literals.append(try decode(literal))
            names.append(name)
            literal = []
        }
        literals.append(try decode(literal))
        guard let name = names.first else { return .literal(literals[0]) }
        if names.count == 1, literals.allSatisfy(\.isEmpty) { return .capture(name) }
        return .partial(PartialSegment(names: names, literals: literals))
    }

    private func wildcard(_ raw: ArraySlice<UInt8>) throws(AtriumError) -> RoutePattern.Segment {
        if raw.count == 1 { return .any }
        let name = raw.dropFirst(2)
        guard raw[raw.startIndex + 1] == .star, name.allSatisfy(\.isNameByte), name.first?.isNameStart ?? true else {
            throw problem(reason: "wildcardNotWhole")
        }
        return .rest(name.isEmpty ? RoutePattern.defaultRestName : spelling(name))
    }

    /// Consumes the name after a colon, or returns nil if the colon is a literal, as in `host:80`.
    private func capture(_ rest: inout ArraySlice<UInt8>, isFirst: Bool) throws(AtriumError) -> String? {
        let isBraced = rest.first == UInt8(ascii: "{")
        let text = rest.dropFirst(isBraced ? 1 : 0)
        let name = text.prefix(while: \.isNameByte)
        guard name.first?.isNameStart == true, !isBraced || text.dropFirst(name.count).first == UInt8(ascii: "}") else {
            if isBraced { throw problem(reason: "bracedCaptureForm") }
            if isFirst { throw problem(reason: "captureForm") }
            return nil
        }
        rest = text.dropFirst(name.count + (isBraced ? 1 : 0))
        return spelling(name)
    }

    private func converter(_ rest: ArraySlice<UInt8>) throws(AtriumError) -> RouteConverter {
        let name = spelling(rest.dropLast())
        guard rest.firstIndex(of: UInt8(ascii: ">")) == rest.endIndex - 1 else {
            throw problem(reason: "converterForm")
        }
        guard let converter = converters[name] else {
            throw problem(reason: "converterUnknown", ["name": "\(name)", "known": .list(converters.names)])
        }
        return converter
    }

    private func decode(_ piece: [UInt8]) throws(AtriumError) -> String {
        do {
            return try PercentCoding.decode(piece)
        } catch {
            throw problem(reason: "patternNotText", ["piece": "\(spelling(piece))"])
        }
    }

    private func spelling(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}

/// The ASCII characters with a meaning in patterns.
extension UInt8 {
    static let slash = UInt8(ascii: "/")
    static let colon = UInt8(ascii: ":")
    static let star = UInt8(ascii: "*")
    static let hash = UInt8(ascii: "#")

    var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
    var isHexDigit: Bool { isDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= self | 0x20 }
    var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }
    var isNameStart: Bool { isLetter || self == UInt8(ascii: "_") }
    var isNameByte: Bool { isNameStart || isDigit }
    var lowercased: UInt8 { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self }
}
