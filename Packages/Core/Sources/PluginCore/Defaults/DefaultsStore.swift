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
