/// A type whose values can be bound to parameters and read from columns.
///
/// Conversions never guess: what ``init(sqlValue:)`` does not recognise becomes an error of the read. An enum with a
/// raw value conforms by saying so: `enum State: String, SQLValueConvertible { case active, retired }`.
public protocol SQLValueConvertible {
    /// The value to store.
    var sqlValue: SQLValue { get }

    /// Reads a stored value back, or gives nil when this type has no such value.
    init?(sqlValue: SQLValue)
}

extension SQLValueConvertible where Self: RawRepresentable, RawValue: SQLValueConvertible {
    /// The raw value, stored.
    public var sqlValue: SQLValue { rawValue.sqlValue }

    /// The case with the stored raw value, or nil when there is none.
    public init?(sqlValue: SQLValue) {
        guard let rawValue = RawValue(sqlValue: sqlValue) else { return nil }
        self.init(rawValue: rawValue)
    }
}
