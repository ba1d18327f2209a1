internal import FoundationEssentials

/// Encodes a value as the parameters of an address: strings by name.
struct ParameterEncoder: Encoder {
    /// The destination of a value.
    enum Place {
        /// The top level.
        case top
        /// The parameter of a name.
        case parameter(String)
        /// The next element of a parameter that is a list.
        case element(String)
        /// No destination, with the error that explains why.
        case nowhere(AtriumError)
    }

    let sink: ParameterSink
    let place: Place
    let userInfo: [CodingUserInfoKey: Any] = [:]

    var codingPath: [any CodingKey] { name.path }

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
            try ParameterEncoder(sink: sink, place: .top).write(value)
        } catch {
            throw sink.problem ?? AtriumError(encoding: error, of: value)
        }
        return sink
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        guard case .top = place else {
            let refusal = sink.refuse(name ?? "", ErrorReason("structureInAddress"))
            return KeyedEncodingContainer(KeyedParameters<Key>(sink: sink, refusal: refusal))
        }
        return KeyedEncodingContainer(KeyedParameters<Key>(sink: sink, refusal: nil))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        switch settled {
        case .parameter(let name):
            sink.startList(as: name)
            return ListedParameters(sink: sink, place: .element(name))
        case .element(let name):
            return ListedParameters(
                sink: sink, place: .nowhere(sink.refuse(name, ErrorReason("listInList"))))
        case .top: return ListedParameters(sink: sink, place: .nowhere(nameless))
        case .nowhere: return ListedParameters(sink: sink, place: settled)
        }
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        ParameterEncoder(sink: sink, place: settled)
    }
}

extension ParameterEncoder {
    /// The destination for a single value. At the top level, it is the pattern's only name.
    var settled: Place {
        guard case .top = place else { return place }
        return sink.only.map { .parameter($0) } ?? .nowhere(nameless)
    }

    private var name: String? {
        switch place {
        case .parameter(let name), .element(let name): name
        case .top, .nowhere: nil
        }
    }

    private var nameless: AtriumError {
        sink.refuse("input", ErrorReason("singleCaptureExpected"))
    }

    /// Encodes a value of any type.
    func write<T: Encodable>(_ value: T) throws {
        switch value {
        case let value as any ParameterText: try put(value)
        case let url as URL: try put(url.absoluteString)
        default: try value.encode(to: self)
        }
        if let value = value as? any OptionalValue, !value.isNil { try checkList(of: T.self) }
    }

    /// Throws for an optional list that is empty, because decoding would return nil for it.
    func checkList(of type: Any.Type) throws {
        guard case .parameter(let name) = settled, sink.isEmptyList(name) else { return }
        throw sink.refuse(name, ErrorReason("emptyOptionalList"))
    }

    func put(_ value: any ParameterText) throws {
        let text = value.description
        switch settled {
        case .parameter(let name) where value.hasText: sink.put(text, as: name)
        case .element(let name) where value.hasText: sink.append(text, to: name)
        case .parameter(let name), .element(let name):
            throw sink.refuse(name, ErrorReason("notFinite", ["found": .text(text)]))
        case .nowhere(let refusal): throw refusal
        case .top: throw nameless
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

extension AtriumError {
    /// Creates an error from an error of a type's own encoding method.
    fileprivate init(encoding error: any Error, of value: some Encodable) {
        switch error {
        case let error as AtriumError: self = error
        case EncodingError.invalidValue(_, let context):
            let name = context.codingPath.first?.stringValue ?? "input"
            self.init(.parameterType, name, reason: .verbatim(context.debugDescription))
        default: self.init(.parameterType, "input", reason: .verbatim("\(error)"))
        }
    }
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

    // The library's own defaults for these two throw, and would be preferred to the generic function.
    func encode(_ value: Int128, forKey key: Key) throws { try place(key).put(value) }
    func encode(_ value: UInt128, forKey key: Key) throws { try place(key).put(value) }
}

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

    mutating func encode(_ value: Int128) throws { try next().put(value) }
    mutating func encode(_ value: UInt128) throws { try next().put(value) }
}

/// Encoding of a single value. A list or structure in its place is encoded as such.
extension ParameterEncoder: SingleValueEncodingContainer {
    func encodeNil() throws {
        switch settled {
        case .element(let name): throw sink.refuse(name, ErrorReason("listWithGaps"))
        case .nowhere(let refusal): throw refusal
        case .top, .parameter: return
        }
    }

    func encode<T: Encodable>(_ value: T) throws { try write(value) }
    func encode(_ value: Int128) throws { try put(value) }
    func encode(_ value: UInt128) throws { try put(value) }
}
