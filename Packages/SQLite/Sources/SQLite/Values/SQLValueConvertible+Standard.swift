extension SQLValue: SQLValueConvertible {
    /// The value itself.
    public var sqlValue: SQLValue { self }
    /// Any value, as it is.
    public init?(sqlValue: SQLValue) { self = sqlValue }
}

extension Int64: SQLValueConvertible {
    /// An integer.
    public var sqlValue: SQLValue { .integer(self) }
    /// An integer; a real is not rounded.
    public init?(sqlValue: SQLValue) {
        guard case .integer(let value) = sqlValue else { return nil }
        self = value
    }
}

extension Int: SQLValueConvertible {
    /// An integer.
    public var sqlValue: SQLValue { .integer(Int64(self)) }
    /// An integer that fits; a real is not rounded.
    public init?(sqlValue: SQLValue) {
        guard case .integer(let value) = sqlValue else { return nil }
        self.init(exactly: value)
    }
}

extension Bool: SQLValueConvertible {
    /// 1 or 0.
    public var sqlValue: SQLValue { .integer(self ? 1 : 0) }
    /// 1 or 0, and no other number.
    public init?(sqlValue: SQLValue) {
        switch sqlValue {
        case .integer(0): self = false
        case .integer(1): self = true
        default: return nil
        }
    }
}

extension Double: SQLValueConvertible {
    /// A real.
    public var sqlValue: SQLValue { .real(self) }
    /// A real, or an integer that a double holds exactly (`SELECT 1` is an integer).
    public init?(sqlValue: SQLValue) {
        switch sqlValue {
        case .real(let value): self = value
        case .integer(let value): self.init(exactly: value)
        default: return nil
        }
    }
}

extension String: SQLValueConvertible {
    /// Text.
    public var sqlValue: SQLValue { .text(self) }
    /// Text; numbers are not spelled out.
    public init?(sqlValue: SQLValue) {
        guard case .text(let value) = sqlValue else { return nil }
        self = value
    }
}

extension [UInt8]: SQLValueConvertible {
    /// A blob.
    public var sqlValue: SQLValue { .blob(self) }
    /// A blob; text is not taken for its bytes.
    public init?(sqlValue: SQLValue) {
        guard case .blob(let value) = sqlValue else { return nil }
        self = value
    }
}

extension Optional: SQLValueConvertible where Wrapped: SQLValueConvertible {
    /// The wrapped value's, or NULL.
    public var sqlValue: SQLValue { self?.sqlValue ?? .null }
    /// NULL is nil; anything else must be a value of the wrapped type.
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
