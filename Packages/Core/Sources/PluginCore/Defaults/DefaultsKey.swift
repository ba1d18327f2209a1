/// A key of a bundle's defaults: a name, the type of its value, and the value that is used while none is stored.
///
/// Names belong to the bundle, so different bundles can use the same name. All versions of a bundle share its defaults: a version that
/// needs another type for a value uses another name.
///
/// ```swift
/// extension DefaultsKey<Theme> {
///     static var theme: Self { Self("theme", default: .light) }
/// }
/// ```
public struct DefaultsKey<Value: Codable & Sendable>: Sendable {
    /// The maximum length of a name, in bytes of UTF-8.
    public static var nameLimit: Int { 128 }

    /// The name under which the value is stored.
    public let name: String
    /// The value that is used while none is stored.
    public let defaultValue: Value

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - name: The name, of at most ``nameLimit`` bytes and without control characters.
    ///   - defaultValue: The value that is used while none is stored.
    public init(_ name: String, default defaultValue: Value) {
        self.name = name
        self.defaultValue = defaultValue
    }

    /// Throws an error for an invalid name.
    ///
    /// - Throws: ``AtriumError`` with code `defaultsInvalid`.
    func requireName() throws(AtriumError) {
        let isControlFree = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
        guard !name.isEmpty, name.utf8.count <= Self.nameLimit, isControlFree else {
            throw AtriumError(
                .defaultsInvalid, String(name.prefix(Self.nameLimit)),
                reason: "keyForm", ["limit": .integer(Self.nameLimit)])
        }
    }
}
