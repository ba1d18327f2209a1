import FoundationEssentials

/// Decodes a value from parameters: strings of an address, or values in user info.
struct ParameterDecoder: Decoder {
    let source: ParameterSource
    /// The parameter's name, or nil at the top level.
    var name: String?
    let userInfo: [CodingUserInfoKey: Any] = [:]
    let codingPath: [any CodingKey] = []

    static func decode<T: Decodable>(_ source: ParameterSource) throws(AtriumError) -> T {
        if let nothing = NoValue() as? T { return nothing }
        do {
            return try Self(source: source).read(T.self)
        } catch {
            throw error as? AtriumError ?? AtriumError(.parameterType, "input", reason: .verbatim("\(error)"))
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        if let name { throw AtriumError(.parameterType, name, reason: "structureExpected") }
        return KeyedDecodingContainer(NamedParameters<Key>(source: source))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let name = try settled()
        switch source[name] {
        case .texts(let texts): return ListOfParameters(name: name, elements: texts)
        case .value(let values as [Any]): return ListOfParameters(name: name, elements: values)
        case .value(let value): throw AtriumError.mistyped(name, expected: [Any].self, found: value)
        }
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        Self(source: source, name: try settled())
    }

    /// Returns the parameter for a single value. At the top level, it is the pattern's only name.
    private func settled() throws(AtriumError) -> String {
        if let name = name ?? source.only { return name }
        throw AtriumError(.parameterType, "input", reason: "singleCaptureExpected")
    }

    /// Decodes a value that has a textual form.
    func text<T: ParameterText>(_ type: T.Type) throws(AtriumError) -> T {
        let name = try settled()
        let value: Any? =
            switch source[name] {
            case .texts(let texts): texts.first
            case .value(let value): value
            }
        guard let value else { throw .missing(name, expected: T.self) }
        if let typed = value as? T { return typed }
        guard let text = value as? String, let typed = T(text), typed.hasText else {
            throw .mistyped(name, expected: T.self, found: value)
        }
        return typed
    }

    /// Decodes a value of a type that is known only when the program runs.
    // Not inlined, because the optimizer of Swift 6.3 crashes when it finds out the type.
    @inline(never)
    private func anyText(_ type: any ParameterText.Type) throws(AtriumError) -> any ParameterText { try text(type) }

    /// Decodes a value of any type.
    func read<T: Decodable>(_ type: T.Type) throws -> T {
        if let name, case .value(let value as T) = source[name] { return value }
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
        source.form?.asked.insert(key.stringValue)
        return ParameterDecoder(source: source, name: key.stringValue)
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

    func superDecoder() throws -> any Decoder { ParameterDecoder(source: source, name: "super") }
    func superDecoder(forKey key: Key) throws -> any Decoder { decoder(key) }

}

/// A decoding container for the elements of a list.
struct ListOfParameters: UnkeyedDecodingContainer {
    let name: String
    let elements: [Any]
    var currentIndex = 0
    let codingPath: [any CodingKey] = []

    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    private mutating func next(_ type: Any.Type) throws(AtriumError) -> ParameterDecoder {
        guard !isAtEnd else { throw .missing(name, expected: type) }
        defer { currentIndex += 1 }
        let source = ParameterSource(found: [name: .value(elements[currentIndex])], only: nil)
        return ParameterDecoder(source: source, name: name)
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
        guard let name, case .texts(let texts) = source[name] else { return false }
        return texts.isEmpty || source.form != nil && texts == [""]
    }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try read(type) }
}
