import FoundationEssentials

/// The reader of JSON files that people write or sign: manifests, texts, page layouts, compositions, trust stores, seals, catalogs, themes.
///
/// Several programs read such a file: the host, `bundletool`, and its author's tools. A file that two of them could interpret differently
/// is rejected, with line and column: comments, trailing commas and repeated names are not allowed (RFC 8259, RFC 7493).
///
/// ```swift
/// try StrictJSON.decode([String: String].self, from: Array(#"{"a": 1,}"#.utf8))
/// // throws JSONError: line 1, column 9: no comma is allowed before "}"
/// ```
package enum StrictJSON {
    /// The maximum nesting depth.
    static let depthLimit = 64

    /// The maximum number of combining marks on one letter, as in Unicode's Stream-Safe Text Format.
    ///
    /// See UAX #15, section 13. Comparing strings takes time that grows with the square of this number.
    static let markLimit = 30

    /// Decodes a value.
    ///
    /// - Parameters:
    ///   - bytes: The complete text.
    ///   - limit: The maximum number of values in the text, nested ones included.
    /// - Throws: ``JSONError``, or `DecodingError` for valid JSON that does not describe the value. `ErrorReason.finding(_:)` describes
    ///   either.
    package static func decode<T: Decodable>(
        _ type: T.Type, from bytes: [UInt8], values limit: Int = .max
    ) throws -> T {
        try check(bytes, values: limit)
        return try JSONDecoder().decode(type, from: Data(bytes))
    }

    /// Checks a text without decoding it.
    ///
    /// - Parameters:
    ///   - bytes: The complete text.
    ///   - limit: The maximum number of values in the text, nested ones included.
    package static func check(_ bytes: [UInt8], values limit: Int = .max) throws(JSONError) {
        var reader = JSONReader(bytes, limit: limit)
        _ = try reader.read()
    }

    /// Returns the value of a text that is signed in its canonical form, so numbers must be whole, and names differ if their bytes do.
    ///
    /// - Parameter wanted: The name of a member of the outermost object.
    /// - Returns: The value, and the text of this member if it is in canonical form, as in most files. It need not be made again then.
    package static func value(
        of bytes: [UInt8], canonicalFormOf wanted: String? = nil
    ) throws(JSONError) -> (value: JSONValue, canonicalForm: ArraySlice<UInt8>?) {
        var reader = JSONReader(bytes, isExact: true, canonicalFormOf: wanted)
        return (try reader.read(), reader.canonicalForm)
    }
}

/// An error in a JSON text, with its line and column.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, counted from 1.
    package let line: Int
    /// The column, counted from 1 in Unicode scalars.
    package let column: Int
    /// A clause that describes the problem.
    package let finding: String

    /// The place and the problem, in one line.
    package var description: String { "line \(line), column \(column): \(finding)" }

    /// - Parameter text: The text before the error.
    init(_ finding: String, after text: ArraySlice<UInt8>) {
        self.finding = finding
        line = text.count { $0 == UInt8(ascii: "\n") } + 1
        column = text.reversed().prefix { $0 != UInt8(ascii: "\n") }.count { !UTF8.isContinuation($0) } + 1
    }
}
