import FoundationEssentials

/// Encodes a value as the parameters of an address: strings by name.
struct ParameterEncoder: Encoder {
    let sink: ParameterSink
    /// The parameter for the value, or nil at the top level, where each property of a structure is a parameter.
    var name: String?
    /// A Boolean value that indicates whether the value is the next element of the parameter, which is a list.
    var isElement = false
    let userInfo: [CodingUserInfoKey: Any] = [:]
    let codingPath: [any CodingKey] = []

    /// Encodes a value.
    ///
    /// - Parameter only: The name for a value that is not a structure.
    static func encode(_ value: some Encodable, only: String?) throws(AtriumError) -> ParameterSink {
        let sink = ParameterSink(only: only)
        var failure: AtriumError?
        do {
            try Self(sink: sink).write(value)
        } catch {
            failure = error as? AtriumError ?? AtriumError(.parameterType, "input", reason: .verbatim("\(error)"))
        }
        if let problem = sink.problem ?? failure { throw problem }
        return sink
    }

    // Some of these calls cannot throw, so the sink stores the error. What is encoded after it does not matter.

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if let name { sink.refuse(name, ErrorReason("structureInAddress")) }
        return KeyedEncodingContainer(KeyedParameters<Key>(sink: sink))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if isElement { sink.refuse(settled, ErrorReason("listInList")) } else { sink.set([String](), as: settled) }
        return Self(sink: sink, name: settled, isElement: true)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        Self(sink: sink, name: settled, isElement: isElement)
    }

    /// The parameter for a single value. At the top level, it is the pattern's only name.
    private var settled: String {
        if let name = name ?? sink.only { return name }
        sink.refuse("input", ErrorReason("singleCaptureExpected"))
        return "input"
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
        if !isElement, let name = name ?? sink.only, sink.list(name)?.isEmpty == true,
            (value as? any OptionalValue)?.isNil == false
        {
            sink.refuse(name, ErrorReason("emptyOptionalList"))
        }
    }

    private func put(_ value: any ParameterText) {
        let (name, text) = (settled, value.description)
        if value is Bool { sink.toggles.insert(name) }
        if !value.hasText { sink.refuse(name, ErrorReason("notFinite", ["found": .text(text)])) }
        if isElement { sink.set((sink.list(name) ?? []) + [text], as: name) } else { sink.set(text, as: name) }
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
    let codingPath: [any CodingKey] = []

    private func encoder(_ key: Key) -> ParameterEncoder { ParameterEncoder(sink: sink, name: key.stringValue) }

    func encodeNil(forKey key: Key) throws {}
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try encoder(key).write(value) }
    func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws { try encoder(key).write(value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        encoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder(key).unkeyedContainer() }
    func superEncoder() -> any Encoder { ParameterEncoder(sink: sink, name: "super") }
    func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }
}

/// Encoding of a single value, or of the elements of a list. A list or structure in their place is encoded as such.
extension ParameterEncoder: SingleValueEncodingContainer, UnkeyedEncodingContainer {
    var count: Int { sink.list(settled)?.count ?? 0 }

    func encodeNil() throws {
        if isElement { sink.refuse(settled, ErrorReason("listWithGaps")) }
    }

    func encode<T: Encodable>(_ value: T) throws { try write(value) }

    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { unkeyedContainer() }
    func superEncoder() -> any Encoder { self }
}
