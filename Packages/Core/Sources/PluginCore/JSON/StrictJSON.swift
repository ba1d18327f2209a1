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
        var text = JSONText(bytes, limit: limit)
        do throws(JSONFlaw) {
            try text.check()
        } catch {
            throw JSONError(error.rule, error.finding, at: error.offset, in: bytes)
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
