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
