/// The values of a bundle's defaults at one moment, each as JSON.
///
/// ```swift
/// try context.defaults.change { values in
///     try values.set(.dark, for: .theme)
///     try values.set(values[.changes] + 1, for: .changes)
/// }
/// ```
public struct DefaultsValues: Hashable, Sendable {
    /// The JSON texts of the values, by the names of their keys.
    public private(set) var texts: [String: String]

    /// Creates values. Hosts and tests call this; plugins receive values.
    ///
    /// - Parameter texts: The JSON texts of the values, by the names of their keys.
    public init(texts: [String: String] = [:]) {
        self.texts = texts
    }

    /// Returns the value of a key, or the key's default value if none is stored.
    ///
    /// - Throws: ``AtriumError`` with code `defaultsInvalid` if the stored value has another type, for example because another version of the
    ///   bundle has stored it. It remains stored until it is replaced or removed.
    public subscript<Value>(key: DefaultsKey<Value>) -> Value {
        get throws(AtriumError) {
            try key.requireName()
            guard let text = texts[key.name] else { return key.defaultValue }
            do {
                return try StrictJSON.decode(Value.self, from: Array(text.utf8))
            } catch {
                throw AtriumError(
                    .defaultsInvalid, key.name,
                    reason: "storedTypeDiffers", ["type": "\(Value.self)", "finding": .text(StrictJSON.finding(error))])
            }
        }
    }

    /// Sets the value of a key.
    ///
    /// - Throws: ``AtriumError`` with code `defaultsInvalid` for an invalid name, or a value that JSON cannot represent.
    public mutating func set<Value>(_ value: Value, for key: DefaultsKey<Value>) throws(AtriumError) {
        try key.requireName()
        do {
            let json = try CodedValue(value).json
            // Whatever is stored must be readable again.
            try StrictJSON.check(json)
            texts[key.name] = String(decoding: json, as: UTF8.self)
        } catch {
            throw AtriumError(
                .defaultsInvalid, key.name, reason: (error as? AtriumError)?.reason ?? .verbatim("\(error)"))
        }
    }

    /// Removes the value of a key, which then has its default value.
    public mutating func removeValue<Value>(for key: DefaultsKey<Value>) {
        texts[key.name] = nil
    }
}
