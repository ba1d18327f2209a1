internal import FoundationEssentials

/// Decodes a value from parameters: strings of an address, or values in user info.
struct ParameterDecoder: Decoder {
    /// The parameter's name, or nil at the top level.
    let name: String?
    let found: ParameterSource.Found
    let userInfo: [CodingUserInfoKey: Any] = [:]
    let codingPath: [any CodingKey] = []

    static func decode<T: Decodable>(_ type: T.Type, from source: ParameterSource) throws(AtriumError) -> T {
        if let nothing = NoValue() as? T { return nothing }
        do {
            return try ParameterDecoder(name: nil, found: .all(source)).read(type)
        } catch {
            throw error as? AtriumError ?? AtriumError(.parameterType, "input", reason: .verbatim("\(error)"))
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .all(let source) = found else {
            throw AtriumError(.parameterType, name ?? "input", reason: "structureExpected")
        }
        return KeyedDecodingContainer(NamedParameters<Key>(source: source))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let (name, found) = try settled()
        let elements: [ParameterSource.Found]
        switch found {
        case .texts(let texts): elements = texts.map { .value($0) }
        case .value(let value):
            guard let values = value as? [Any] else {
                throw AtriumError.mistyped(name, expected: [Any].self, found: value)
            }
            elements = values.map { .value($0) }
        case .all: elements = []
        }
        return ListOfParameters(name: name, elements: elements.map { ParameterDecoder(name: name, found: $0) })
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        let (name, found) = try settled()
        return ParameterDecoder(name: name, found: found)
    }
}

extension ParameterDecoder {
    /// Returns the parameter for a single value. At the top level, it is the pattern's only name.
    private func settled() throws(AtriumError) -> (name: String, found: ParameterSource.Found) {
        guard case .all(let source) = found else { return (name ?? "input", found) }
        guard let only = source.only else {
            throw AtriumError(.parameterType, "input", reason: "singleCaptureExpected")
        }
        return (only, source[only])
    }

    /// Decodes a value that has a textual form.
    func text<T: ParameterText>(_ type: T.Type) throws(AtriumError) -> T {
        let (name, found) = try settled()
        let text: String
        switch found {
        case .texts(let texts):
            guard let first = texts.first else { throw .missing(name, expected: T.self) }
            text = first
        case .value(let value as T): return value
        case .value(let value as String): text = value
        case .value(let value): throw .mistyped(name, expected: T.self, found: value)
        case .all: throw .missing(name, expected: T.self)
        }
        guard let value = T(text), value.hasText else { throw .mistyped(name, expected: T.self, found: text) }
        return value
    }

    /// Decodes a value of a type that is known only when the program runs.
    // Not inlined, because the optimizer of Swift 6.3 crashes when it finds out the type.
    @inline(never)
    private func anyText(_ type: any ParameterText.Type) throws(AtriumError) -> any ParameterText { try text(type) }

    /// Decodes a value of any type.
    func read<T: Decodable>(_ type: T.Type) throws -> T {
        if case .value(let value as T) = found { return value }
        do {
            if type == URL.self, let url = URL(string: try text(String.self)) as? T { return url }
            if let type = type as? any ParameterText.Type, let value = try anyText(type) as? T { return value }
            return try T(from: self)
        } catch let error as DecodingError {
            guard let name, let text = try? text(String.self) else {
                throw AtriumError(decoding: error, of: name ?? "input")
            }
            // The type rejected the value itself, for example an enum without a case for the raw value.
            let choices = (type as? any CaseIterable.Type)?.texts ?? []
            throw AtriumError.mistyped(name, expected: T.self, found: text, choices: choices)
        }
    }
}

extension CaseIterable {
    /// The textual forms of all cases.
    fileprivate static var texts: [String] {
        allCases.compactMap { value in ((value as? any RawRepresentable)?.rawValue as? any ParameterText)?.description }
    }
}

extension AtriumError {
    /// Creates an error from an error of a type's own decoding initializer.
    fileprivate init(decoding error: DecodingError, of name: String) {
        switch error {
        case .keyNotFound(let key, let context):
            self.init(.parameterMissing, key.stringValue, reason: .verbatim(context.debugDescription))
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            let name = context.codingPath.first?.stringValue ?? name
            self.init(.parameterType, name, reason: .verbatim(context.debugDescription))
        @unknown default: self.init(.parameterType, name, reason: .verbatim("\(error)"))
        }
    }
}

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

}

/// A decoding container for the elements of a list.
struct ListOfParameters: UnkeyedDecodingContainer {
    let name: String
    let elements: [ParameterDecoder]
    var currentIndex = 0
    let codingPath: [any CodingKey] = []

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

}

/// Decoding of a single value. A list or structure in its place is decoded as such.
extension ParameterDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool {
        if case .texts(let texts) = found { texts.isEmpty } else { false }
    }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try read(type) }
}
