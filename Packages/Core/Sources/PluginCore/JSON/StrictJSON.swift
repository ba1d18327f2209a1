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
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let start = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars).prefix { $0 != "\u{FFFD}" }
            throw JSONError("this is not UTF-8", after: start)
        }
        var json = JSONText(text, limit: limit)
        try json.check()
    }

    /// Returns a description of an error of decoding or encoding for the author of the file, including its place.
    public static func finding(_ error: any Error) -> String {
        if case EncodingError.invalidValue(_, let context) = error { return context.debugDescription }
        return (error as? DecodingError)?.finding ?? "\(error)"
    }
}

/// An error in a JSON text, with its line and column.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, counted from 1.
    public let line: Int
    /// The column, counted from 1 in Unicode scalars.
    public let column: Int
    /// A clause that describes the problem.
    public let finding: String

    /// The place and the problem, in one line.
    public var description: String { "line \(line), column \(column): \(finding)" }

    /// - Parameter text: The text before the error.
    init(_ finding: String, after text: ArraySlice<Unicode.Scalar>) {
        self.finding = finding
        line = text.count { $0 == "\n" } + 1
        column = text.reversed().prefix { $0 != "\n" }.count + 1
    }
}

extension DecodingError {
    /// A description of the problem and its place, for the author of the file.
    var finding: String {
        switch self {
        case .keyNotFound(let key, let context):
            "\(Self.place(context))\"\(key.stringValue)\" is missing"
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            "\(Self.place(context))expected \(Self.expected(type))"
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            "it cannot be read: \(context.debugDescription)"
        case .dataCorrupted(let context): "\(Self.place(context))\(context.debugDescription)"
        @unknown default: "\(self)"
        }
    }

    private static func place(_ context: Context) -> String {
        let place = JSONText.path(context.codingPath.map { key in key.intValue.map { "[\($0)]" } ?? key.stringValue })
        return place.isEmpty ? "" : place + ": "
    }

    private static func expected(_ type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is [Any].Type: "an array"
        case is [String: Any].Type: "an object"
        default: "\(type)"
        }
    }
}

/// A value that JSON contains as its text, such as an identifier or a version.
public protocol TextCodable: LosslessStringConvertible, Codable {}

extension TextCodable {
    /// Reads the text of a value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Self(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" is not a \(Self.self)")
        }
        self = value
    }

    /// Writes the text of the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension BundleIdentifier: TextCodable {}
extension SemanticVersion: TextCodable {}
extension VersionRange: TextCodable {}
