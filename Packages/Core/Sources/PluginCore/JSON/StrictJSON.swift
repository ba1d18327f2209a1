internal import FoundationEssentials

/// The reader of all JSON files that people write: manifests, texts, page layouts, compositions, trust stores, seals, themes.
///
/// Such a file is read by more than one reader: the host, `bundletool`, and the tools of its author. A file that two readers could
/// understand differently is refused, with line and column: no comments, no comma before a closing bracket, no name twice in an
/// object (RFC 8259, RFC 7493). Memory does not grow with how deep it is nested.
///
/// ```swift
/// try StrictJSON.decode([String: String].self, from: Array(#"{"a": 1,}"#.utf8))
/// // throws JSONError: line 1, column 9: no comma may stand before "}"
/// ```
public enum StrictJSON {
    /// How deep anything may be nested.
    public static let depthLimit = 64

    /// How many marks may stand on one letter: as many as in Unicode's Stream-Safe Text Format (UAX #15, 13). Comparing texts with
    /// many more takes time that grows with their square.
    public static let markLimit = 30

    /// Reads a value.
    ///
    /// - Parameters:
    ///   - bytes: all of the text.
    ///   - limit: how many values the text may have, those in others included.
    ///   - userInfo: what the value's own reading gets.
    /// - Throws: ``JSONError``, or `DecodingError` for a text that is sound and says something else; ``finding(_:)`` has the words.
    public static func decode<T: Decodable>(
        _ type: T.Type, from bytes: [UInt8], values limit: Int = .max,
        userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> T {
        try check(bytes, values: limit)
        let decoder = JSONDecoder()
        decoder.userInfo = userInfo
        return try decoder.decode(type, from: Data(bytes))
    }

    /// Checks a text without making anything of it.
    ///
    /// - Parameters:
    ///   - bytes: all of the text.
    ///   - limit: how many values it may have, those in others included.
    public static func check(_ bytes: [UInt8], values limit: Int = .max) throws(JSONError) {
        if let offset = JSONText.invalidOffset(in: bytes) {
            throw JSONError(.syntax, "this is not UTF-8", at: offset, in: bytes)
        }
        var scan = JSONScan(bytes, limit: limit)
        do throws(JSONFlaw) {
            try scan.run()
        } catch {
            throw JSONError(error, in: bytes)
        }
    }

    /// Returns an error of ``decode(_:from:values:userInfo:)`` in words for the author of the file, with its place.
    public static func finding(_ error: any Error) -> String {
        (error as? DecodingError)?.finding ?? "\(error)"
    }
}
