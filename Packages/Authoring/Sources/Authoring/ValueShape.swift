import FoundationEssentials
import PluginCore

/// The form in which values of a type pass between plugins, as far as a caller notices.
///
/// Each plugin has its own copy of a contract's types, so the names of their own types don't count, but the names and types of their
/// properties do.
public indirect enum ValueShape: Hashable, Sendable, Codable {
    /// A value of a type that is not divided further, such as `Int`.
    case value(String)
    /// A list.
    case list(ValueShape)
    /// A value that may be absent.
    case optional(ValueShape)
    /// A structure, with the properties in the order in which they are decoded.
    ///
    /// A type that rejects every value that is tried in place of one hides its further properties; then the structure is not complete.
    case structure([Property], isComplete: Bool)

    /// A property of a structure.
    public struct Property: Hashable, Sendable, Codable {
        /// The name.
        public let name: String
        /// The form of its values.
        public let shape: ValueShape

        /// Creates a property.
        public init(_ name: String, _ shape: ValueShape) {
            self.name = name
            self.shape = shape
        }
    }
}

extension ValueShape: CustomStringConvertible {
    /// The form as Swift spells it, and properties in braces.
    public var description: String {
        switch self {
        case .value(let name): name
        case .list(let element): "[\(element)]"
        case .optional(let wrapped): "\(wrapped)?"
        case .structure(let properties, let isComplete):
            "{"
                + (properties.map { "\($0.name): \($0.shape)" } + (isComplete ? [] : ["..."])).joined(separator: ", ")
                + "}"
        }
    }
}

extension ValueShape {
    /// Finds the form of a type's values.
    init(of type: Any.Type) { self = ShapeProbe.shape(of: type, inside: []) }
}

/// The values for which a type has asked.
final class ShapeRecord {
    /// The properties of a structure; the form is nil if the type has only asked whether there is a value.
    private(set) var properties: [(name: String, shape: ValueShape?)] = []
    /// The form of a type that is coded as a single value.
    var single: ValueShape?
    var isStructure = false

    func add(_ name: String, _ shape: ValueShape?) {
        if !properties.contains(where: { $0.name == name }) { properties.append((name, shape)) }
    }
}

/// A decoder that has no values, and finds the form of those for which it is asked.
struct ShapeProbe: Decoder {
    fileprivate struct NoSample: Error {}

    fileprivate let record: ShapeRecord
    /// The types whose properties are being looked for, which may contain each other.
    fileprivate let outer: [ObjectIdentifier]
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    /// Returns the form of a type's values.
    static func shape(of type: Any.Type, inside outer: [ObjectIdentifier]) -> ValueShape {
        let name = ValueShape.value("\(type)")
        if let type = type as? any OptionalShape.Type { return .optional(shape(of: type.wrapped, inside: outer)) }
        if let type = type as? any ListShape.Type { return .list(shape(of: type.element, inside: outer)) }
        if isLeaf(type) { return name }
        if let type = type as? any RawRepresentable.Type { return shape(of: raw(of: type), inside: outer) }
        guard let type = type as? any Decodable.Type, !outer.contains(ObjectIdentifier(type)) else { return name }
        let (record, isComplete) = record(of: type, inside: outer)
        if let single = record.single { return single }
        let properties = record.properties.compactMap { name, shape in shape.map { ValueShape.Property(name, $0) } }
        return properties.isEmpty ? name : .structure(properties, isComplete: isComplete)
    }

    /// Decodes a type without values. Returns what it asked for, and whether that is everything.
    static func record(
        of type: any Decodable.Type, inside outer: [ObjectIdentifier] = []
    ) -> (record: ShapeRecord, isComplete: Bool) {
        let record = ShapeRecord()
        let probe = ShapeProbe(record: record, outer: outer + [ObjectIdentifier(type)])
        return (record, (try? type.init(from: probe)) != nil)
    }

    private static func raw<T: RawRepresentable>(of type: T.Type) -> Any.Type { T.RawValue.self }

    private static func isLeaf(_ type: Any.Type) -> Bool {
        let others: [Any.Type] = [NoValue.self, URL.self, UUID.self, Date.self, Data.self, CodedValue.self]
        return BoundContract.isText(type) || others.contains { $0 == type }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        record.isStructure = true
        return KeyedDecodingContainer(ProbedProperties<Key>(record: record, outer: outer))
    }

    // A list that a type decodes itself has no elements to ask for.
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NoSample() }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    /// Returns a value of a type, to go on with.
    fileprivate func sample<T: Decodable>(_ type: T.Type) throws -> T {
        let samples: [Any?] = [
            (type as? any LosslessStringConvertible.Type).flatMap { $0.init("0") ?? $0.init("true") },
            (type as? any ListShape.Type)?.empty, NoValue(), UUID(), URL(string: "app://sample"),
            Date(timeIntervalSinceReferenceDate: 0), Data(), CodedValue(json: []),
            (type as? any CaseIterable.Type)?.some,
        ]
        if let found = samples.lazy.compactMap({ $0 as? T }).first { return found }
        return try T(from: ShapeProbe(record: ShapeRecord(), outer: outer))
    }
}

extension ShapeProbe: SingleValueDecodingContainer {
    func decodeNil() -> Bool { true }
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if record.single == nil { record.single = Self.shape(of: type, inside: outer) }
        return try sample(type)
    }
}

/// A container that records the keys of a structure's properties.
private struct ProbedProperties<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let record: ShapeRecord
    let outer: [ObjectIdentifier]
    let codingPath: [any CodingKey] = []
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool {
        record.add(key.stringValue, nil)
        return false
    }

    func decodeNil(forKey key: Key) throws -> Bool { !contains(key) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        record.add(key.stringValue, ShapeProbe.shape(of: type, inside: outer))
        return try ShapeProbe(record: ShapeRecord(), outer: outer).sample(type)
    }

    private func absent<T: Decodable>(_ type: T.Type, _ key: Key) -> T? {
        record.add(key.stringValue, .optional(ShapeProbe.shape(of: type, inside: outer)))
        return nil
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? { absent(type, key) }
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { absent(type, key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { absent(type, key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { absent(type, key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { absent(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { absent(type, key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { absent(type, key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { absent(type, key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { absent(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { absent(type, key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { absent(type, key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { absent(type, key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { absent(type, key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { absent(type, key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { absent(type, key) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw ShapeProbe.NoSample() }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw ShapeProbe.NoSample() }
    func superDecoder() throws -> any Decoder { throw ShapeProbe.NoSample() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw ShapeProbe.NoSample() }
}

/// A type whose values may be absent.
private protocol OptionalShape {
    static var wrapped: Any.Type { get }
}

extension Optional: OptionalShape {
    static var wrapped: Any.Type { Wrapped.self }
}

/// A list, whose form is that of its elements.
private protocol ListShape {
    static var element: Any.Type { get }
    static var empty: Any { get }
}

extension Array: ListShape {
    static var element: Any.Type { Element.self }
    static var empty: Any { [Element]() }
}

extension Set: ListShape {
    static var element: Any.Type { Element.self }
    static var empty: Any { Set<Element>() }
}

extension CaseIterable {
    fileprivate static var some: Any? { allCases.first }
}
