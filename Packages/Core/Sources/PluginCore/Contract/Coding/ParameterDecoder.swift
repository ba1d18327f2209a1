internal import FoundationEssentials

/// Decodes a value from parameters: strings of an address, or values in user info.
struct ParameterDecoder: Decoder {
    /// The parameter's name, or nil at the top level.
    let name: String?
    let found: ParameterSource.Found
    let userInfo: [CodingUserInfoKey: Any] = [:]

    var codingPath: [any CodingKey] { name.path }

    static func decode<T: Decodable>(_ type: T.Type, from source: ParameterSource) throws(AtriumError) -> T {
        do {
            return try ParameterDecoder(name: nil, found: .all(source)).read(type)
        } catch let error as AtriumError {
            throw error
        } catch {
            throw AtriumError(decoding: error)
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
        case .texts(let texts): elements = texts.map { .element($0) }
        case .value(let value):
            guard let values = value as? [Any] else {
                throw AtriumError.mistyped(name, expected: [Any].self, found: value)
            }
            elements = values.map { .value($0) }
        case .element(let text): throw AtriumError.mistyped(name, expected: [Any].self, found: text)
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
        case .element(let element): text = element
        case .value(let value as T): return value
        case .value(let value as String): text = value
        case .value(let value): throw .mistyped(name, expected: T.self, found: value)
        case .all: throw .missing(name, expected: T.self)
        }
        guard let value = T(text), value.hasText else { throw .mistyped(name, expected: T.self, found: text) }
        return value
    }

    /// Decodes a value of any type.
    func read<T: Decodable>(_ type: T.Type) throws -> T {
        if case .value(let value as T) = found { return value }
        do {
            if type == URL.self, let url = URL(string: try text(String.self)) as? T { return url }
            if let type = type as? any ParameterText.Type, let value = try text(type) as? T { return value }
            return try T(from: self)
        } catch let error as DecodingError {
            // The type rejected the value itself, for example an enum without a case for the raw value.
            guard let name, let text = try? text(String.self) else { throw error }
            throw AtriumError.mistyped(name, expected: T.self, found: text, choices: Self.choices(of: type))
        }
    }

    /// Returns the textual forms of all cases of an enum.
    private static func choices(of type: Any.Type) -> [String] {
        guard let cases = (type as? any CaseIterable.Type)?.texts else { return [] }
        return cases
    }
}

extension CaseIterable {
    fileprivate static var texts: [String] {
        allCases.compactMap { value in ((value as? any RawRepresentable)?.rawValue as? any ParameterText)?.description }
    }
}

extension AtriumError {
    /// Creates an error from an error of a type's own decoding initializer.
    fileprivate init(decoding error: any Error) {
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            self.init(.parameterMissing, key.stringValue, reason: .verbatim(context.debugDescription))
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            let name = context.codingPath.first?.stringValue ?? "input"
            self.init(.parameterType, name, reason: .verbatim(context.debugDescription))
        default: self.init(.parameterType, "input", reason: .verbatim("\(error)"))
        }
    }
}
