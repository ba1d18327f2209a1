internal import FoundationEssentials

/// Encodes a value as the parameters of an address: strings by name.
struct ParameterEncoder: Encoder {
    /// The destination of a value.
    enum Place {
        /// The parameters of the properties of a structure, or the pattern's only parameter.
        case top
        /// The parameter of a name.
        case parameter(String)
        /// The next element of a parameter that is a list.
        case element(String)
        /// No destination. The sink has the error that explains why.
        case nowhere
    }

    let sink: ParameterSink
    let place: Place
    let userInfo: [CodingUserInfoKey: Any] = [:]
    let codingPath: [any CodingKey] = []

    /// Encodes a value.
    ///
    /// - Parameter only: The name for a value that is not a structure.
    static func encode(_ value: some Encodable, only: String?) throws(AtriumError) -> ParameterSink {
        let sink = ParameterSink(only: only)
        var failure: AtriumError?
        do {
            try ParameterEncoder(sink: sink, place: .top).write(value)
        } catch {
            failure = error as? AtriumError ?? AtriumError(.parameterType, "input", reason: .verbatim("\(error)"))
        }
        if let problem = sink.problem ?? failure { throw problem }
        return sink
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if !isTop { sink.refuse(name ?? "", ErrorReason("structureInAddress")) }
        return KeyedEncodingContainer(KeyedParameters<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        switch settled {
        case .parameter(let name):
            sink.set(.list([]), as: name)
            return ParameterEncoder(sink: sink, place: .element(name))
        case .element(let name): sink.refuse(name, ErrorReason("listInList"))
        case .top, .nowhere: break
        }
        return ParameterEncoder(sink: sink, place: .nowhere)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        ParameterEncoder(sink: sink, place: settled)
    }
}

extension ParameterEncoder {
    /// The destination for a single value. At the top level, it is the pattern's only name.
    private var settled: Place {
        guard isTop else { return place }
        if let only = sink.only { return .parameter(only) }
        sink.refuse("input", ErrorReason("singleCaptureExpected"))
        return .nowhere
    }

    fileprivate var isTop: Bool { if case .top = place { true } else { false } }

    private var name: String? {
        switch place {
        case .parameter(let name), .element(let name): name
        case .top, .nowhere: nil
        }
    }

    /// Encodes a value of any type.
    func write<T: Encodable>(_ value: T) throws {
        do {
            switch value {
            case let value as any ParameterText: put(value)
            case let url as URL: put(url.absoluteString)
            default: try value.encode(to: self)
            }
        } catch EncodingError.invalidValue(_, let context) {
            // The type rejected the value itself.
            let name = context.codingPath.first?.stringValue ?? name ?? "input"
            throw AtriumError(.parameterType, name, reason: .verbatim(context.debugDescription))
        }
        // Decoding would return nil for an optional list that is empty.
        if let value = value as? any OptionalValue, !value.isNil, case .parameter(let name) = settled,
            sink.list(name)?.isEmpty == true
        {
            sink.refuse(name, ErrorReason("emptyOptionalList"))
        }
    }

    private func put(_ value: any ParameterText) {
        let text = value.description
        switch settled {
        case .parameter(let name) where value.hasText: sink.set(.text(text), as: name)
        case .element(let name) where value.hasText: sink.set(.list((sink.list(name) ?? []) + [text]), as: name)
        case .parameter(let name), .element(let name):
            sink.refuse(name, ErrorReason("notFinite", ["found": .text(text)]))
        case .top, .nowhere: break
        }
    }
}

/// A type-erased optional.
private protocol OptionalValue {
    var isNil: Bool { get }
}

extension Optional: OptionalValue {
    fileprivate var isNil: Bool { self == nil }
}

/// An encoding container for the properties of a structure.
struct KeyedParameters<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ParameterEncoder
    let codingPath: [any CodingKey] = []

    private func place(_ key: Key) -> ParameterEncoder {
        ParameterEncoder(sink: encoder.sink, place: encoder.isTop ? .parameter(key.stringValue) : .nowhere)
    }

    func encodeNil(forKey key: Key) throws {}
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try place(key).write(value) }

    func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws { try place(key).write(value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        place(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { place(key).unkeyedContainer() }
    func superEncoder() -> any Encoder { ParameterEncoder(sink: encoder.sink, place: .parameter("super")) }
    func superEncoder(forKey key: Key) -> any Encoder { place(key) }

}

/// Encoding of a single value, or of the elements of a list. A list or structure in their place is encoded as such.
extension ParameterEncoder: SingleValueEncodingContainer, UnkeyedEncodingContainer {
    var count: Int { if case .element(let name) = place { sink.list(name)?.count ?? 0 } else { 0 } }

    func encodeNil() throws {
        if case .element(let name) = settled { sink.refuse(name, ErrorReason("listWithGaps")) }
    }

    func encode<T: Encodable>(_ value: T) throws { try write(value) }

    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { unkeyedContainer() }
    func superEncoder() -> any Encoder { self }
}
