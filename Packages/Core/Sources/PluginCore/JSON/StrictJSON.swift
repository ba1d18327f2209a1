internal import FoundationEssentials

/// The reader of all JSON files that people write: manifests, texts, page layouts, compositions, trust stores, seals, themes.
///
/// Several programs read such a file: the host, `bundletool`, and its author's tools. A file that two of them could interpret differently
/// is rejected, with line and column: comments, trailing commas and repeated names are not allowed (RFC 8259, RFC 7493).
///
/// ```swift
/// try StrictJSON.decode([String: String].self, from: Array(#"{"a": 1,}"#.utf8))
/// // throws JSONError: line 1, column 9: no comma is allowed before "}"
/// ```
public enum StrictJSON {
    /// The maximum nesting depth.
    public static let depthLimit = 64

    /// The maximum number of combining marks on one letter, as in Unicode's Stream-Safe Text Format.
    ///
    /// See UAX #15, section 13. Comparing strings takes time that grows with the square of this number.
    public static let markLimit = 30

    /// Decodes a value.
    ///
    /// - Parameters:
    ///   - bytes: The complete text.
    ///   - limit: The maximum number of values in the text, nested ones included.
    ///   - userInfo: The decoder's user info.
    /// - Throws: ``JSONError``, or `DecodingError` for valid JSON that does not describe the value. ``finding(_:)`` returns a description
    ///   of either.
    public static func decode<T: Decodable>(
        _ type: T.Type, from bytes: [UInt8], values limit: Int = .max,
        userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> T {
        try check(bytes, values: limit)
        let decoder = JSONDecoder()
        decoder.userInfo = userInfo
        return try decoder.decode(type, from: Data(bytes))
    }

    /// Checks a text without decoding it.
    ///
    /// - Parameters:
    ///   - bytes: The complete text.
    ///   - limit: The maximum number of values in the text, nested ones included.
    public static func check(_ bytes: [UInt8], values limit: Int = .max) throws(JSONError) {
        if let offset = JSONText.invalidOffset(in: bytes) {
            throw JSONError(.syntax, "this is not UTF-8", at: offset, in: bytes)
        }
        var scan = StrictJSONScanner(bytes, limit: limit)
        do throws(JSONFlaw) {
            try scan.run()
        } catch {
            throw JSONError(error, in: bytes)
        }
    }

    /// Returns a description of a decoding error for the author of the file, including its place.
    public static func finding(_ error: any Error) -> String {
        (error as? DecodingError)?.finding ?? "\(error)"
    }
}

/// An error in a JSON text, with its line and column.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The rule that the text breaks.
    public enum Rule: Hashable, Sendable {
        /// The text is not JSON in UTF-8.
        case syntax
        /// A name occurs twice in an object. Some readers use the first value, others the last.
        case repeatedName
        /// A string contains an unpaired surrogate.
        case halfCharacter
        /// A letter has more combining marks than any natural text.
        case stackedMarks
        /// The text is nested too deeply.
        case depth
        /// The text has more values than allowed.
        case valueCount
    }

    /// The rule that the text breaks.
    public let rule: Rule
    /// The line, counted from 1.
    public let line: Int
    /// The column, counted from 1 in Unicode scalars.
    public let column: Int
    /// A clause that describes the problem.
    public let finding: String

    /// The place and the problem, in one line.
    public var description: String { "line \(line), column \(column): \(finding)" }

    init(_ flaw: JSONFlaw, in bytes: [UInt8]) {
        self.init(flaw.rule, flaw.finding, at: flaw.offset, in: bytes)
    }

    init(_ rule: Rule, _ finding: String, at offset: Int, in bytes: [UInt8]) {
        self.rule = rule
        self.finding = finding
        let before = bytes[..<min(offset, bytes.count)]
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        line = before.count { $0 == UInt8(ascii: "\n") } + 1
        // All bytes except those that continue a scalar.
        column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
    }
}

/// An error with its byte offset in the text.
struct JSONFlaw: Error {
    let rule: JSONError.Rule
    let finding: String
    let offset: Int
}

/// A single pass over a JSON text. Its memory is proportional to the nesting depth, except for the names of the open objects.
struct StrictJSONScanner {
    private struct Frame {
        /// The names so far if this is an object.
        ///
        /// `String` treats canonically equivalent spellings as equal, as the decoder's dictionary does.
        var names: Set<String>?
        var name = ""
        var index = 0
    }

    private var text: JSONText
    private let limit: Int
    private var count = 0
    private var frames: [Frame] = []
    /// A Boolean value that indicates whether the last token was a comma.
    private var isBehindComma = false

    init(_ bytes: [UInt8], limit: Int) {
        text = JSONText(bytes)
        self.limit = limit
    }

    mutating func run() throws(JSONFlaw) {
        while true {
            if try startsValue() { continue }
            guard try leavesValue() else { return }
        }
    }

    /// Reads a value, or the start of an array or object.
    ///
    /// - Returns: Whether another value must follow directly.
    private mutating func startsValue() throws(JSONFlaw) -> Bool {
        count += 1
        text.skipSpace()
        guard count <= limit else { throw text.flaw(.valueCount, "the file has more than \(limit) values") }
        let start = text.position
        defer { isBehindComma = false }
        switch text.nextMark() {
        case UInt8(ascii: "{"):
            try enter(Frame(names: []))
            if text.takes("}") {
                frames.removeLast()
            } else {
                try readName()
                return true
            }
        case UInt8(ascii: "["):
            try enter(Frame())
            if text.takes("]") { frames.removeLast() } else { return true }
        case UInt8(ascii: "\""): _ = try text.string(isKept: false)
        case UInt8(ascii: "t"): try text.word("rue")
        case UInt8(ascii: "f"): try text.word("alse")
        case UInt8(ascii: "n"): try text.word("ull")
        case let mark? where mark == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= mark:
            try text.number(from: start)
        case UInt8(ascii: "]") where isBehindComma: throw text.trailingComma("]", at: start)
        default: throw text.unexpected("a value", at: start)
        }
        return false
    }

    /// Continues after a value.
    ///
    /// - Returns: Whether another value must follow. If not, the text is complete.
    private mutating func leavesValue() throws(JSONFlaw) -> Bool {
        while let last = frames.indices.last {
            let isObject = frames[last].names != nil
            if text.takes(",") {
                isBehindComma = true
                frames[last].index += 1
                if isObject { try readName() }
                return true
            }
            guard text.takes(isObject ? "}" : "]") else {
                throw text.unexpected(isObject ? "\",\" or \"}\"" : "\",\" or \"]\"", at: text.position)
            }
            frames.removeLast()
        }
        text.skipSpace()
        let end = text.position
        guard text.nextMark() == nil else { throw text.unexpected("the end of the file", at: end) }
        return false
    }

    private mutating func enter(_ frame: Frame) throws(JSONFlaw) {
        frames.append(frame)
        guard frames.count <= StrictJSON.depthLimit else {
            throw text.flaw(.depth, "values are nested more than \(StrictJSON.depthLimit) levels deep")
        }
    }

    private mutating func readName() throws(JSONFlaw) {
        text.skipSpace()
        let start = text.position
        guard text.takes("\"") else {
            if isBehindComma, text.takes("}") { throw text.trailingComma("}", at: start) }
            throw text.unexpected("a name in quotation marks", at: start)
        }
        isBehindComma = false
        let name = try text.string(isKept: true)
        let last = frames.count - 1
        frames[last].name = name
        guard frames[last].names?.insert(name).inserted == true else {
            throw JSONFlaw(rule: .repeatedName, finding: "\"\(place)\" is given twice", offset: start)
        }
        guard text.takes(":") else { throw text.unexpected("\":\"", at: text.position) }
    }

    /// The path of the current value, such as a member of an array element.
    private var place: String {
        frames.reduce("") { way, frame in
            guard frame.names != nil else { return way + "[\(frame.index)]" }
            return way.isEmpty ? frame.name : way + "." + frame.name
        }
    }
}
