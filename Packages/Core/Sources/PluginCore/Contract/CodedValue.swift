import FoundationEssentials

/// A JSON-encoded value, for passing a type of which caller and receiver each have their own copy.
///
/// ```swift
/// let coded = try CodedValue(theirs)              // in one plugin
/// let mine = try coded.value(as: Mine.self)       // in another
/// ```
public struct CodedValue: Hashable, Codable, Sendable, CustomStringConvertible {
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
                .resultType, "\(type(of: value))", reason: "notCodable", ["finding": "\(ErrorReason.finding(error))"])
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
            return try decoded()
        } catch {
            throw AtriumError(
                .resultType, "\(T.self)", reason: "codedOtherwise", ["finding": "\(ErrorReason.finding(error))"])
        }
    }

    func decoded<T: Decodable>() throws -> T { try JSONDecoder().decode(T.self, from: Data(json)) }

    /// The JSON as a string.
    public var description: String { String(decoding: json, as: UTF8.self) }
}

/// A type that exists only once in a process, so its values can pass from plugin to plugin unchanged.
protocol BoundaryValue {}

extension CodedValue: BoundaryValue {}
extension Optional: BoundaryValue where Wrapped: BoundaryValue {}
extension Array: BoundaryValue where Element: BoundaryValue {}
extension Set: BoundaryValue where Element: BoundaryValue {}
extension Dictionary: BoundaryValue where Key: BoundaryValue, Value: BoundaryValue {}

/// A placeholder for no value: the input of a route without parameters, or the output of a route without a result.
@frozen
public struct NoValue: Hashable, Codable, Sendable {
    /// Creates a placeholder.
    public init() {}
}

/// The coding of outputs on the way from plugin to plugin, each of which has its own copy of the types of an Interface.
enum OutputCoding {
    /// Returns a value in the form in which it passes to another plugin.
    static func encode<Output: Codable & Sendable>(_ value: Output) throws(AtriumError) -> any Sendable {
        // An empty tuple stands for no result.
        if value is NoValue { return () }
        return Output.self is any BoundaryValue.Type ? value : try CodedValue(value)
    }

    /// Converts a value from another plugin.
    ///
    /// - Throws: ``AtriumError`` with code `resultType` and the given subject.
    static func decode<Output: Codable>(_ value: any Sendable, _ subject: String) throws(AtriumError) -> Output {
        // A caller that expects no result accepts any.
        if let nothing = NoValue() as? Output { return nothing }
        if Output.self is any BoundaryValue.Type { return try cast(value, subject) }
        guard let coded = value as? CodedValue else { throw mistyped(value, Output.self, subject) }
        do {
            return try coded.value()
        } catch {
            throw AtriumError(.resultType, subject, reason: error.reason)
        }
    }

    /// Returns a value from another plugin as a type of which there is one copy in the process.
    ///
    /// - Throws: ``AtriumError`` with code `resultType` and the given subject.
    static func cast<Output>(_ value: any Sendable, _ subject: String) throws(AtriumError) -> Output {
        if let value = value as? Output { return value }
        throw mistyped(value, Output.self, subject)
    }

    private static func mistyped(_ value: any Sendable, _ expected: Any.Type, _ subject: String) -> AtriumError {
        AtriumError(.resultType, subject, reason: .type(expected, found: Swift.type(of: value)))
    }
}
