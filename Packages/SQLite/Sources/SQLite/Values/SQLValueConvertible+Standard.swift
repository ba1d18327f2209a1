extension SQLValue: SQLValueConvertible {
    /// The value itself.
    public var sqlValue: SQLValue { self }
    /// Creates a value from any stored value.
    public init?(sqlValue: SQLValue) { self = sqlValue }
}

extension Int64: SQLValueConvertible {
    /// The value as an integer.
    public var sqlValue: SQLValue { .integer(self) }
    /// Creates a value from an integer. A real is not rounded.
    public init?(sqlValue: SQLValue) {
        guard case .integer(let value) = sqlValue else { return nil }
        self = value
    }
}

extension Int: SQLValueConvertible {
    /// The value as an integer.
    public var sqlValue: SQLValue { .integer(Int64(self)) }
    /// Creates a value from an integer that fits. A real is not rounded.
    public init?(sqlValue: SQLValue) {
        guard case .integer(let value) = sqlValue else { return nil }
        self.init(exactly: value)
    }
}

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
