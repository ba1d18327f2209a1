/// An encoding container for the properties of a structure.
struct KeyedParameters<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let sink: ParameterSink
    /// The reason why this container cannot be written to, if it belongs to a nested structure.
    let refusal: AtriumError?
    let codingPath: [any CodingKey] = []

    private func place(_ key: Key) -> ParameterEncoder {
        ParameterEncoder(sink: sink, place: refusal.map { .nowhere($0) } ?? .parameter(key.stringValue))
    }

    func encodeNil(forKey key: Key) throws {}
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try place(key).write(value) }

    func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
        guard let value else { return }
        try place(key).write(value)
        try place(key).checkList(of: T.self)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        place(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { place(key).unkeyedContainer() }
    func superEncoder() -> any Encoder { ParameterEncoder(sink: sink, place: .parameter("super")) }
    func superEncoder(forKey key: Key) -> any Encoder { place(key) }

    func encode(_ value: Bool, forKey key: Key) throws { try place(key).put(value) }
    func encode(_ value: String, forKey key: Key) throws { try place(key).put(value) }
    func encode(_ value: Double, forKey key: Key) throws { try place(key).put(value) }
    func encode(_ value: Float, forKey key: Key) throws { try place(key).put(value) }
    func encode(_ value: Int, forKey key: Key) throws { try place(key).put(value) }
    func encode(_ value: Int8, forKey key: Key) throws { try place(key).put(value) }
    func encode(_ value: Int16, forKey key: Key) throws { try place(key).put(value) }
    func encode(_ value: Int32, forKey key: Key) throws { try place(key).put(value) }
    func encode(_ value: Int64, forKey key: Key) throws { try place(key).put(value) }
    func encode(_ value: Int128, forKey key: Key) throws { try place(key).put(value) }
    func encode(_ value: UInt, forKey key: Key) throws { try place(key).put(value) }
    func encode(_ value: UInt8, forKey key: Key) throws { try place(key).put(value) }
    func encode(_ value: UInt16, forKey key: Key) throws { try place(key).put(value) }
    func encode(_ value: UInt32, forKey key: Key) throws { try place(key).put(value) }
    func encode(_ value: UInt64, forKey key: Key) throws { try place(key).put(value) }
    func encode(_ value: UInt128, forKey key: Key) throws { try place(key).put(value) }
}
