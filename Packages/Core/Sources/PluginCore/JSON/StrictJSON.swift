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
