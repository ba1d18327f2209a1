/// Named values that travel with an action or a route: standard-library and Core values, closures included.
///
/// Types of a plugin's own never go in: the receiver has no way to name them, which is the point.
///
/// ```swift
/// let parameters: ActionParameters = ["name": "BJHL", "age": 5]
/// let age = try parameters.require("age", as: Int.self)
/// ```
public struct ActionParameters: Sendable {
    /// The values by name.
    public let values: [String: any Sendable]

    /// Wraps values by name.
    public init(_ values: [String: any Sendable] = [:]) {
        self.values = values
    }

    /// The names, sorted.
    public var names: [String] { values.keys.sorted() }

    /// The value of `name`, or `nil` when it is not there or of another type.
    public func value<T>(_ name: String, as type: T.Type = T.self) -> T? {
        values[name] as? T
    }

    /// The value of `name`.
    ///
    /// - Throws: ``AtriumError`` with code `parameterMissing` or `parameterType`, the name as subject.
    public func require<T>(_ name: String, as type: T.Type = T.self) throws(AtriumError) -> T {
        guard let value = values[name] else { throw .missing(name, expected: T.self) }
        guard let typed = value as? T else { throw .mistyped(name, expected: T.self, found: value) }
        return typed
    }

    /// The value of `name`; a text that spells a `T`, as every value out of a URL does, is read as one.
    ///
    /// - Throws: ``AtriumError`` with code `parameterMissing` or `parameterType`, the name as subject.
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

    /// These values, and those of `other` whose names do not occur here.
    public func merging(_ other: ActionParameters) -> ActionParameters {
        ActionParameters(values.merging(other.values) { mine, _ in mine })
    }
}

extension ActionParameters: ExpressibleByDictionaryLiteral {
    /// `["name": "BJHL", "age": 5]`; of a name that is written twice the last value counts.
    public init(dictionaryLiteral elements: (String, any Sendable)...) {
        self.init(Dictionary(elements) { _, last in last })
    }
}
