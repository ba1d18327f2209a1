/// A value as SQLite stores it, in one of its five storage classes.
///
/// Literals make values: `let row: [SQLValue] = [1, 2.5, "three", nil, true]`.
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

extension SQLValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    /// Creates an integer from a literal.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Creates a real from a literal.
    public init(floatLiteral value: Double) { self = .real(value) }
    /// Creates text from a literal.
    public init(stringLiteral value: String) { self = .text(value) }
    /// Creates the integer 1 for true and 0 for false, as in SQL.
    public init(booleanLiteral value: Bool) { self = .integer(value ? 1 : 0) }
    /// Creates a null value.
    public init(nilLiteral: ()) { self = .null }
}
