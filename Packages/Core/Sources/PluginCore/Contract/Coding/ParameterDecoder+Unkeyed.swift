/// A decoding container for the elements of a list.
struct ListOfParameters: UnkeyedDecodingContainer {
    let name: String
    let elements: [ParameterDecoder]
    private(set) var currentIndex = 0

    init(name: String, elements: [ParameterDecoder]) {
        self.name = name
        self.elements = elements
    }

    var codingPath: [any CodingKey] { [ParameterKey(name)] }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    private mutating func next(_ type: Any.Type) throws(AtriumError) -> ParameterDecoder {
        guard !isAtEnd else { throw .missing(name, expected: type, after: elements.count) }
        defer { currentIndex += 1 }
        return elements[currentIndex]
    }

    mutating func decodeNil() throws -> Bool { false }
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next(type).read(type) }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try next([String: Any].self).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next([Any].self).unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { try next(Any.self) }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try next(type).text(type) }
    mutating func decode(_ type: String.Type) throws -> String { try next(type).text(type) }
    mutating func decode(_ type: Double.Type) throws -> Double { try next(type).text(type) }
    mutating func decode(_ type: Float.Type) throws -> Float { try next(type).text(type) }
    mutating func decode(_ type: Int.Type) throws -> Int { try next(type).text(type) }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try next(type).text(type) }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try next(type).text(type) }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try next(type).text(type) }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try next(type).text(type) }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try next(type).text(type) }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try next(type).text(type) }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next(type).text(type) }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next(type).text(type) }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next(type).text(type) }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next(type).text(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next(type).text(type) }
}
