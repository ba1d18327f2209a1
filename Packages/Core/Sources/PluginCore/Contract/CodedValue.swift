internal import FoundationEssentials

/// A JSON-encoded value, for passing a type of which caller and receiver each have their own copy.
///
/// ```swift
/// let coded = try CodedValue(theirs)              // in one plugin
/// let mine = try coded.value(as: Mine.self)       // in another
/// ```
public struct CodedValue: Hashable, Codable, Sendable {
    /// The value as JSON, in UTF-8.
    public let json: [UInt8]

    /// Encodes a value.
    ///
    /// - Throws: ``AtriumError`` with code `resultType` for a value that JSON cannot represent, such as a number that is not finite.
    public init(_ value: some Encodable) throws(AtriumError) {
        let encoder = JSONEncoder()
        // Sorted keys give equal values equal encodings.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            json = Array(try encoder.encode(value))
        } catch {
            throw AtriumError(
                .resultType, "\(type(of: value))", reason: "notCodable", ["finding": .text(error.finding)])
        }
    }

    /// Creates a value from JSON that another process has encoded. It may be malformed, which ``value(as:)`` reports.
    public init(json: [UInt8]) {
        self.json = json
    }

    /// Decodes the value as a type of the reader.
    ///
    /// - Throws: ``AtriumError`` with code `resultType` if the JSON does not describe a value of that type.
    public func value<T: Decodable>(as type: T.Type = T.self) throws(AtriumError) -> T {
        do {
            return try JSONDecoder().decode(T.self, from: Data(json))
        } catch {
            throw AtriumError(.resultType, "\(T.self)", reason: "codedOtherwise", ["finding": .text(error.finding)])
        }
    }
}

extension CodedValue: CustomStringConvertible {
    /// The JSON as a string.
    public var description: String { String(decoding: json, as: UTF8.self) }
}

extension Error {
    fileprivate var finding: String {
        switch self {
        case let error as DecodingError: error.finding
        case let error as EncodingError: error.finding
        default: "\(self)"
        }
    }
}

extension EncodingError {
    fileprivate var finding: String {
        if case .invalidValue(_, let context) = self { context.debugDescription } else { "\(self)" }
    }
}
