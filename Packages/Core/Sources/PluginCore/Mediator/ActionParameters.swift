/// Named values that are passed with an action or a route: standard-library and Core values, closures included.
///
/// The types of a plugin cannot be passed, because the receiver has no access to them.
///
/// ```swift
/// let parameters: ActionParameters = ["name": "Ann", "age": 30]
/// let age = try parameters.require("age", as: Int.self)
/// ```
public struct ActionParameters: Sendable {
    /// The values by name.
    public let values: [String: any Sendable]

    /// Creates parameters from values by name.
    public init(_ values: [String: any Sendable] = [:]) {
        self.values = values
    }

    /// Creates parameters from the texts of an address. Of several with one name, the first is used.
    public init(_ texts: URIParameters) {
        self.init(Dictionary(texts.items.lazy.map { ($0.name, $0.value) }) { first, _ in first })
    }

    /// The names, sorted.
    public var names: [String] { values.keys.sorted() }

    /// Returns a value, or nil if it doesn't exist or has another type.
    public func value<T>(_ name: String, as type: T.Type = T.self) -> T? {
        values[name] as? T
    }

    /// Returns a value.
    ///
    /// - Throws: ``AtriumError`` with code `parameterMissing` or `parameterType` and the name as subject.
    public func require<T>(_ name: String, as type: T.Type = T.self) throws(AtriumError) -> T {
        guard let value = values[name] else { throw .missing(name, expected: T.self) }
        guard let typed = value as? T else { throw .mistyped(name, expected: T.self, found: value) }
        return typed
    }

    /// Returns a value. A string that spells a value of the type is converted, because every value of a URL is a string.
    ///
    /// - Throws: ``AtriumError`` with code `parameterMissing` or `parameterType` and the name as subject.
    public func require<T: LosslessStringConvertible>(
        _ name: String, as type: T.Type = T.self
    ) throws(AtriumError) -> T {
        guard let value = values[name] else { throw .missing(name, expected: T.self) }
        if let typed = value as? T { return typed }
        guard let text = value as? String, let typed = T(text) else {
            throw .mistyped(name, expected: T.self, found: value)
        }
        return typed
    }

    /// Returns these values, extended by those of other parameters whose names do not occur here.
    public func merging(_ other: ActionParameters) -> ActionParameters {
        ActionParameters(values.merging(other.values) { mine, _ in mine })
    }
}

extension ActionParameters: ExpressibleByDictionaryLiteral {
    /// Creates parameters from a dictionary literal. Of several values with one name, the last is used.
    public init(dictionaryLiteral elements: (String, any Sendable)...) {
        self.init(Dictionary(elements) { _, last in last })
    }
}

extension ActionParameters {
    /// Decodes the values into a structure whose properties have the names of the parameters.
    ///
    /// A string that spells a value of the property's type is converted, because every value of a URL is a string.
    ///
    /// ```swift
    /// struct Search: Decodable { var text: String; var page: Int?; var tags: [String] }
    /// let search = try request.decode(Search.self)    // shop/search?text=lamp&tags=red&tags=new
    /// ```
    ///
    /// - Throws: ``AtriumError`` with code `parameterMissing` or `parameterType`. Its subject is the parameter; its detail says which value
    ///   was found and which is needed.
    public func decode<T: Decodable>(_ type: T.Type = T.self) throws(AtriumError) -> T {
        try ParameterDecoder.decode(T.self, from: ParameterSource(self))
    }
}

extension ResourceRequest {
    /// Decodes captures, query and user info into one structure, with the precedence of the request's parameters.
    ///
    /// A list receives all values of a repeated query name. The property `rest` receives the segments that `**` matched, whatever name the
    /// pattern gives them.
    ///
    /// - Throws: The errors of ``ActionParameters/decode(_:)``.
    public func decode<T: Decodable>(_ type: T.Type = T.self) throws(AtriumError) -> T {
        try ParameterDecoder.decode(T.self, from: ParameterSource(self))
    }

    /// Decodes the input of a contract from the address. User info is ignored.
    ///
    /// - Throws: The errors of ``RouteContract/input(of:)``.
    public func input<Input: Codable & Sendable, Output: Codable & Sendable>(of contract: RouteContract<Input, Output>)
        throws(AtriumError) -> Input
    {
        try contract.input(of: self)
    }
}
