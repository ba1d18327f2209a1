internal import FoundationEssentials

/// The parameters that a type has asked for.
final class ParameterRecord {
    private(set) var parameters: [InputDeclaration.Parameter] = []

    /// Records a parameter. A type that first asks whether there is a value, and then requires one, has checked that before.
    func add(_ name: String, isRequired: Bool) {
        guard !parameters.contains(where: { $0.name == name }) else { return }
        parameters.append(InputDeclaration.Parameter(name, isRequired: isRequired))
    }
}

/// A decoder that has no values, and records the parameters for which it is asked.
struct ParameterProbe: Decoder {
    /// The name of the parameter of an input that is a single value.
    static let onlyName = "value"

    private struct NoSample: Error {}

    /// The parameter whose value is decoded, or nil at the top level.
    let name: String?
    let record: ParameterRecord
    let userInfo: [CodingUserInfoKey: Any] = [:]

    var codingPath: [any CodingKey] { name.path }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard name == nil else { throw NoSample() }
        return KeyedDecodingContainer(ProbedParameters<Key>(record: record))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        recordOnly()
        return ListOfParameters(name: name ?? Self.onlyName, elements: [])
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        recordOnly()
        return self
    }

    private func recordOnly() {
        if name == nil { record.add(Self.onlyName, isRequired: true) }
    }

    /// Returns a value of a type, to go on with.
    func value<T: Decodable>(_ type: T.Type) throws -> T {
        if let sample = Self.sample(of: type) as? T {
            recordOnly()
            return sample
        }
        return try T(from: self)
    }

    private static func sample(of type: Any.Type) -> Any? {
        if let text = type as? any ParameterText.Type { return text.init("0") ?? text.init("true") }
        if let cases = type as? any CaseIterable.Type { return cases.first }
        if type == URL.self { return URL(string: "app://sample") }
        return type == UUID.self ? UUID() : nil
    }
}

extension CaseIterable {
    fileprivate static var first: Any? { allCases.first }
}

extension ParameterProbe: SingleValueDecodingContainer {
    func decodeNil() -> Bool { true }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try value(type) }
}

/// A container that records the keys of a structure's properties.
private struct ProbedParameters<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let record: ParameterRecord
    let codingPath: [any CodingKey] = []
    var allKeys: [Key] { [] }

    /// Records an optional parameter: a required one is decoded without this question.
    func contains(_ key: Key) -> Bool {
        record.add(key.stringValue, isRequired: false)
        return false
    }

    func decodeNil(forKey key: Key) throws -> Bool { !contains(key) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        record.add(key.stringValue, isRequired: !(type is any ExpressibleByNilLiteral.Type))
        return try ParameterProbe(name: key.stringValue, record: record).value(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        record.add(key.stringValue, isRequired: true)
        return try ParameterProbe(name: key.stringValue, record: record).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        record.add(key.stringValue, isRequired: true)
        return try ParameterProbe(name: key.stringValue, record: record).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { ParameterProbe(name: "super", record: record) }
    func superDecoder(forKey key: Key) throws -> any Decoder { ParameterProbe(name: key.stringValue, record: record) }
}
