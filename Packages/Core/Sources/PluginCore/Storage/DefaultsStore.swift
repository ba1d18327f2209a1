/// The store of a bundle's defaults: small values that survive the process, such as settings.
///
/// The host stores them in the bundle's container, so they survive updates and rollbacks and are erased with the container. Each change is
/// written to the disk as a whole before it returns: after a crash, a power cut or with a full disk, the store has the values of either
/// before or after the change. Several processes and versions of the bundle can use it at the same time.
///
/// ```swift
/// let theme = try context.defaults[.theme]
/// try context.defaults.set(.dark, for: .theme)
/// ```
///
/// Reading takes a file access, and changing waits for the disk. Data that is large or changes often belongs in a file of the
/// ``BundleContainer``.
public protocol DefaultsStore: Sendable {
    /// Returns the values of all keys at one moment.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or another error of the file system if they cannot be read. Damaged values are
    ///   reported to the host and set aside; the keys then have their default values.
    func values() throws -> DefaultsValues

    /// Changes values together. Readers see all of the changes or none of them.
    ///
    /// Nobody else changes values while `body` runs, so it must not call the store itself, and should be fast.
    ///
    /// - Throws: The errors of ``values()``; ``AtriumError`` with code `defaultsFull` if the values would exceed the host's limit,
    ///   `sandboxBusy` if another change does not end, `inputOutput`; and the errors of `body`. In all cases, nothing changes.
    func change(_ body: (inout DefaultsValues) throws -> Void) throws
}

extension DefaultsStore {
    /// Returns the value of a key, or the key's default value if none is stored.
    ///
    /// - Throws: The errors of ``values()``, and `defaultsInvalid` if the stored value has another type.
    public subscript<Value>(key: DefaultsKey<Value>) -> Value {
        get throws { try values()[key] }
    }

    /// Sets the value of a key.
    ///
    /// - Throws: The errors of ``change(_:)``, and `defaultsInvalid` for a value that JSON cannot represent.
    public func set<Value>(_ value: Value, for key: DefaultsKey<Value>) throws {
        try change { try $0.set(value, for: key) }
    }

    /// Changes the value of a key based on its current value, such as a counter.
    ///
    /// - Returns: The new value.
    /// - Throws: The errors of ``change(_:)`` and `body`, and `defaultsInvalid`.
    @discardableResult
    public func update<Value>(_ key: DefaultsKey<Value>, _ body: (inout Value) throws -> Void) throws -> Value {
        var result = key.defaultValue
        try change { values in
            result = try values[key]
            try body(&result)
            try values.set(result, for: key)
        }
        return result
    }

    /// Removes the value of a key, which then has its default value.
    ///
    /// - Throws: The errors of ``change(_:)``.
    public func removeValue<Value>(for key: DefaultsKey<Value>) throws {
        try change { $0.removeValue(for: key) }
    }
}

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
                return try CodedValue(json: Array(text.utf8)).decoded()
            } catch {
                throw AtriumError(
                    .defaultsInvalid, key.name,
                    reason: "storedTypeDiffers",
                    ["type": "\(Value.self)", "finding": "\(ErrorReason.finding(error))"])
            }
        }
    }

    /// Sets the value of a key.
    ///
    /// - Throws: ``AtriumError`` with code `defaultsInvalid` for an invalid name, or a value that JSON cannot represent.
    public mutating func set<Value>(_ value: Value, for key: DefaultsKey<Value>) throws(AtriumError) {
        try key.requireName()
        do {
            texts[key.name] = try CodedValue(value).description
        } catch {
            throw AtriumError(.defaultsInvalid, key.name, reason: error.reason)
        }
    }

    /// Removes the value of a key, which then has its default value.
    public mutating func removeValue<Value>(for key: DefaultsKey<Value>) {
        texts[key.name] = nil
    }
}
