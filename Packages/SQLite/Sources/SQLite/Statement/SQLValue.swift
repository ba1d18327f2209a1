/// A value as SQLite stores it, in one of its five storage classes.
@frozen public enum SQLValue: Hashable, Sendable {
    /// A signed integer of up to 64 bits.
    case integer(Int64)
    /// A double. Binding a value that is not a number fails.
    case real(Double)
    /// Text in UTF-8, which may contain NUL.
    case text(String)
    /// Bytes. An empty blob is not NULL.
    case blob([UInt8])
    /// The absence of a value.
    case null

    /// The storage class of the value.
    public var storageClass: StorageClass {
        switch self {
        case .integer: .integer
        case .real: .real
        case .text: .text
        case .blob: .blob
        case .null: .null
        }
    }
}

/// A type whose values can be bound to parameters and read from columns.
///
/// Conversions never guess: if ``init(sqlValue:)`` returns `nil`, reading fails with an error. An enum with a raw value only has to declare
/// its conformance: `enum State: String, SQLValueConvertible { case active, retired }`.
public protocol SQLValueConvertible {
    /// The value to store.
    var sqlValue: SQLValue { get }

    /// Creates a value from a stored one. Returns nil if this type cannot represent it.
    init?(sqlValue: SQLValue)
}

extension SQLValueConvertible where Self: RawRepresentable, RawValue: SQLValueConvertible {
    /// The raw value.
    public var sqlValue: SQLValue { rawValue.sqlValue }

    /// Creates the case with the stored raw value. Returns nil if there is none.
    public init?(sqlValue: SQLValue) {
        guard let rawValue = RawValue(sqlValue: sqlValue) else { return nil }
        self.init(rawValue: rawValue)
    }
}

extension SQLValue: SQLValueConvertible {
    /// The value itself.
    public var sqlValue: SQLValue { self }
    /// Creates a value from any stored value.
    public init?(sqlValue: SQLValue) { self = sqlValue }
}

extension SQLValueConvertible where Self: FixedWidthInteger {
    /// The value as an integer.
    public var sqlValue: SQLValue { .integer(Int64(self)) }
    /// Creates a value from an integer that fits. A real is not rounded.
    public init?(sqlValue: SQLValue) {
        guard case .integer(let value) = sqlValue else { return nil }
        self.init(exactly: value)
    }
}

extension Int: SQLValueConvertible {}
extension Int64: SQLValueConvertible {}

extension Bool: SQLValueConvertible {
    /// The value as 1 or 0.
    public var sqlValue: SQLValue { .integer(self ? 1 : 0) }
    /// Creates a value from 1 or 0, and from no other number.
    public init?(sqlValue: SQLValue) {
        switch sqlValue {
        case .integer(0): self = false
        case .integer(1): self = true
        default: return nil
        }
    }
}

extension Double: SQLValueConvertible {
    /// The value as a real.
    public var sqlValue: SQLValue { .real(self) }
    /// Creates a value from a real, or from an integer that a double represents exactly.
    ///
    /// For example, `SELECT 1` returns an integer.
    public init?(sqlValue: SQLValue) {
        switch sqlValue {
        case .real(let value): self = value
        case .integer(let value): self.init(exactly: value)
        default: return nil
        }
    }
}

extension String: SQLValueConvertible {
    /// The value as text.
    public var sqlValue: SQLValue { .text(self) }
    /// Creates a value from text. Numbers are not converted.
    public init?(sqlValue: SQLValue) {
        guard case .text(let value) = sqlValue else { return nil }
        self = value
    }
}

extension [UInt8]: SQLValueConvertible {
    /// The value as a blob.
    public var sqlValue: SQLValue { .blob(self) }
    /// Creates a value from a blob. Text is not converted to bytes.
    public init?(sqlValue: SQLValue) {
        guard case .blob(let value) = sqlValue else { return nil }
        self = value
    }
}

extension Optional: SQLValueConvertible where Wrapped: SQLValueConvertible {
    /// The wrapped value, or NULL.
    public var sqlValue: SQLValue { self?.sqlValue ?? .null }
    /// Creates nil from NULL, and otherwise a value of the wrapped type.
    public init?(sqlValue: SQLValue) {
        if case .null = sqlValue {
            self = .none
        } else if let wrapped = Wrapped(sqlValue: sqlValue) {
            self = .some(wrapped)
        } else {
            return nil
        }
    }
}
