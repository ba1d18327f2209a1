/// An encoding container for the elements of a list.
struct ListedParameters: UnkeyedEncodingContainer {
    let sink: ParameterSink
    let place: ParameterEncoder.Place
    private(set) var count = 0

    init(sink: ParameterSink, place: ParameterEncoder.Place) {
        self.sink = sink
        self.place = place
    }

    var codingPath: [any CodingKey] { element.codingPath }

    private var element: ParameterEncoder { ParameterEncoder(sink: sink, place: place) }

    private mutating func next() -> ParameterEncoder {
        count += 1
        return element
    }

    mutating func encodeNil() throws { try next().encodeNil() }
    mutating func encode<T: Encodable>(_ value: T) throws { try next().write(value) }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { next() }

    mutating func encode(_ value: Bool) throws { try next().put(value) }
    mutating func encode(_ value: String) throws { try next().put(value) }
    mutating func encode(_ value: Double) throws { try next().put(value) }
    mutating func encode(_ value: Float) throws { try next().put(value) }
    mutating func encode(_ value: Int) throws { try next().put(value) }
    mutating func encode(_ value: Int8) throws { try next().put(value) }
    mutating func encode(_ value: Int16) throws { try next().put(value) }
    mutating func encode(_ value: Int32) throws { try next().put(value) }
    mutating func encode(_ value: Int64) throws { try next().put(value) }
    mutating func encode(_ value: Int128) throws { try next().put(value) }
    mutating func encode(_ value: UInt) throws { try next().put(value) }
    mutating func encode(_ value: UInt8) throws { try next().put(value) }
    mutating func encode(_ value: UInt16) throws { try next().put(value) }
    mutating func encode(_ value: UInt32) throws { try next().put(value) }
    mutating func encode(_ value: UInt64) throws { try next().put(value) }
    mutating func encode(_ value: UInt128) throws { try next().put(value) }
}
