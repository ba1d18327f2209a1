/// A decoding container for the properties of a structure.
struct NamedParameters<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let source: ParameterSource
    let codingPath: [any CodingKey] = []

    private func decoder(_ key: Key) -> ParameterDecoder {
        ParameterDecoder(name: key.stringValue, found: source[key.stringValue])
    }

    var allKeys: [Key] { source.names.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { !decoder(key).decodeNil() }
    func decodeNil(forKey key: Key) throws -> Bool { decoder(key).decodeNil() }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try decoder(key).read(type) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { ParameterDecoder(name: "super", found: .texts([])) }
    func superDecoder(forKey key: Key) throws -> any Decoder { decoder(key) }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try decoder(key).text(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try decoder(key).text(type) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try decoder(key).text(type) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try decoder(key).text(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try decoder(key).text(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try decoder(key).text(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try decoder(key).text(type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try decoder(key).text(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try decoder(key).text(type) }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try decoder(key).text(type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try decoder(key).text(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try decoder(key).text(type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try decoder(key).text(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try decoder(key).text(type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try decoder(key).text(type) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try decoder(key).text(type) }
}
