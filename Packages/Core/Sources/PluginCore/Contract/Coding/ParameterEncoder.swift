internal import FoundationEssentials

/// Encodes a value as the parameters of an address: strings by name.
struct ParameterEncoder: Encoder {
    /// The destination of a value.
    enum Place {
        /// The parameter of a name.
        case parameter(String)
        /// The next element of a parameter that is a list.
        case element(String)
        /// No destination, with the error that explains why.
        case nowhere(AtriumError)
    }

    let sink: ParameterSink
    /// The destination, or nil at the top level.
    let place: Place?
    let userInfo: [CodingUserInfoKey: Any] = [:]
    let codingPath: [any CodingKey] = []

    /// Encodes the input of a route.
    static func parts(of value: some Encodable, names: PatternNames) throws(AtriumError) -> AddressParts {
        try encode(value, only: names.only).parts(names: names)
    }

    /// Encodes the input of an action.
    ///
    /// - Parameter only: The name for a value that is not a structure.
    static func parameters(of value: some Encodable, only: String) throws(AtriumError) -> ActionParameters {
        try encode(value, only: only).parameters()
    }

    private static func encode(_ value: some Encodable, only: String?) throws(AtriumError) -> ParameterSink {
        let sink = ParameterSink(only: only)
        do {
            try ParameterEncoder(sink: sink, place: nil).write(value)
        } catch {
            throw sink.problem ?? error as? AtriumError
                ?? AtriumError(.parameterType, "input", reason: .verbatim("\(error)"))
        }
        return sink
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        let refusal = place == nil ? nil : sink.refuse(name ?? "", ErrorReason("structureInAddress"))
        return KeyedEncodingContainer(KeyedParameters<Key>(sink: sink, refusal: refusal))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        var place = settled
        if case .parameter(let name) = place {
            sink.set(.list([]), as: name)
            place = .element(name)
        } else if case .element(let name) = place {
            place = .nowhere(sink.refuse(name, ErrorReason("listInList")))
        }
        return ParameterEncoder(sink: sink, place: place)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        ParameterEncoder(sink: sink, place: settled)
    }
}

extension ParameterEncoder {
    /// The destination for a single value. At the top level, it is the pattern's only name.
    private var settled: Place {
        place ?? sink.only.map { .parameter($0) }
            ?? .nowhere(sink.refuse("input", ErrorReason("singleCaptureExpected")))
    }

    private var name: String? {
        switch place {
        case .parameter(let name), .element(let name): name
        case .nowhere, nil: nil
        }
    }

    /// Encodes a value of any type.
    func write<T: Encodable>(_ value: T) throws {
        do {
            switch value {
            case let value as any ParameterText: try put(value)
            case let url as URL: try put(url.absoluteString)
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
            throw sink.refuse(name, ErrorReason("emptyOptionalList"))
        }
    }

    func put(_ value: any ParameterText) throws {
        let text = value.description
        switch settled {
        case .parameter(let name) where value.hasText: sink.set(.text(text), as: name)
        case .element(let name) where value.hasText: sink.set(.list((sink.list(name) ?? []) + [text]), as: name)
        case .parameter(let name), .element(let name):
            throw sink.refuse(name, ErrorReason("notFinite", ["found": .text(text)]))
        case .nowhere(let refusal): throw refusal
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
    let sink: ParameterSink
    /// The reason why this container cannot be written to, if it belongs to a nested structure.
    let refusal: AtriumError?
    let codingPath: [any CodingKey] = []

    private func place(_ key: Key) -> ParameterEncoder {
        ParameterEncoder(sink: sink, place: refusal.map { .nowhere($0) } ?? .parameter(key.stringValue))
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
    func superEncoder() -> any Encoder { ParameterEncoder(sink: sink, place: .parameter("super")) }
    func superEncoder(forKey key: Key) -> any Encoder { place(key) }

    // The library's own defaults for these two throw, and would be preferred to the generic function.
    func encode(_ value: Int128, forKey key: Key) throws { try place(key).put(value) }
    func encode(_ value: UInt128, forKey key: Key) throws { try place(key).put(value) }
}

/// Encoding of a single value, or of the elements of a list. A list or structure in their place is encoded as such.
extension ParameterEncoder: SingleValueEncodingContainer, UnkeyedEncodingContainer {
    var count: Int { if case .element(let name) = place { sink.list(name)?.count ?? 0 } else { 0 } }

    func encodeNil() throws {
        switch settled {
        case .element(let name): throw sink.refuse(name, ErrorReason("listWithGaps"))
        case .nowhere(let refusal): throw refusal
        case .parameter: return
        }
    }

    func encode<T: Encodable>(_ value: T) throws { try write(value) }
    func encode(_ value: Int128) throws { try put(value) }
    func encode(_ value: UInt128) throws { try put(value) }

    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { unkeyedContainer() }
    func superEncoder() -> any Encoder { self }
}
