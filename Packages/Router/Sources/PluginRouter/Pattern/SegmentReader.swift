internal import PluginCore

/// The parser of one segment of a pattern.
///
/// The segment is split first, and then each literal is decoded, so an escape never acts as a separator.
struct SegmentReader {
    let raw: ArraySlice<UInt8>
    let converters: RouteConverters

    func read() throws(PatternProblem) -> RoutePattern.Segment {
        if raw.first == .star { return try wildcard() }
        for byte in raw where byte == .star || byte == UInt8(ascii: "?") {
            throw PatternProblem("characterInSegment", ["character": "\(spelling([byte]))"])
        }
        var names: [String] = []
        var literals: [String] = []
        var (start, index) = (raw.startIndex, raw.startIndex)
        while index < raw.endIndex {
            let byte = raw[index]
            if "<>{}".utf8.contains(byte) {
                throw PatternProblem("characterHere", ["character": "\(spelling([byte]))"])
            }
            guard byte == .colon, let (name, end) = try capture(at: index) else {
                index += 1
                continue
            }
            if end < raw.endIndex, raw[end] == UInt8(ascii: "<") {
                guard index == raw.startIndex, raw[index + 1].isNameStart else {
                    throw PatternProblem("converterNotWhole")
                }
                return .typed(name, try converter(at: end + 1))
            }
            literals.append(try decode(raw[start..<index]))
            names.append(name)
            (start, index) = (end, end)
        }
        literals.append(try decode(raw[start...]))
        guard let name = names.first else { return .literal(literals[0]) }
        if names.count == 1, literals.allSatisfy(\.isEmpty) { return .capture(name) }
        return .partial(PartialSegment(names: names, literals: literals))
    }

    private func wildcard() throws(PatternProblem) -> RoutePattern.Segment {
        if raw.count == 1 { return .any }
        let name = raw.dropFirst(2)
        guard raw[raw.startIndex + 1] == .star, name.allSatisfy(\.isNameByte), name.first?.isNameStart ?? true else {
            throw PatternProblem("wildcardNotWhole")
        }
        return .rest(name.isEmpty ? RoutePattern.defaultRestName : spelling(name))
    }

    /// Parses the name after a colon and returns its end, or nil if the colon is a literal.
    private func capture(at colon: Int) throws(PatternProblem) -> (String, Int)? {
        let start = colon + 1
        guard start < raw.endIndex, raw[start].isNameStart || raw[start] == UInt8(ascii: "{") else {
            guard colon > raw.startIndex else {
                throw PatternProblem("captureForm")
            }
            // A colon without a name is a literal, as in `host:80`.
            return nil
        }
        let isBraced = raw[start] == UInt8(ascii: "{")
        let nameStart = isBraced ? start + 1 : start
        let end = raw[nameStart...].firstIndex { !$0.isNameByte } ?? raw.endIndex
        guard isBraced else { return (spelling(raw[nameStart..<end]), end) }
        guard end > nameStart, raw[nameStart].isNameStart, end < raw.endIndex, raw[end] == UInt8(ascii: "}") else {
            throw PatternProblem("bracedCaptureForm")
        }
        return (spelling(raw[nameStart..<end]), end + 1)
    }

    private func converter(at start: Int) throws(PatternProblem) -> RouteConverter {
        guard raw[start...].firstIndex(of: UInt8(ascii: ">")) == raw.endIndex - 1 else {
            throw PatternProblem("converterForm")
        }
        let name = spelling(raw[start..<(raw.endIndex - 1)])
        guard let converter = converters[name] else {
            throw PatternProblem("converterUnknown", ["name": "\(name)", "known": .list(converters.names)])
        }
        return converter
    }

    private func decode(_ piece: ArraySlice<UInt8>) throws(PatternProblem) -> String {
        do {
            return try PercentCoding.decode(piece)
        } catch {
            throw PatternProblem("patternNotText", ["piece": "\(spelling(piece))"])
        }
    }

    private func spelling(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}

/// The problem of a pattern.
struct PatternProblem: Error {
    let reason: ErrorReason

    init(_ name: String, _ values: [String: ErrorReason.Value] = [:]) {
        reason = ErrorReason(name, values)
    }
}

/// The ASCII characters with a meaning in patterns.
extension UInt8 {
    static let slash = UInt8(ascii: "/")
    static let colon = UInt8(ascii: ":")
    static let star = UInt8(ascii: "*")
    static let hash = UInt8(ascii: "#")

    var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
    var isHexDigit: Bool { isDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= self | 0x20 }
    var isNameStart: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 || self == UInt8(ascii: "_") }
    var isNameByte: Bool { isNameStart || isDigit }
    var lowercased: UInt8 { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self }
}
