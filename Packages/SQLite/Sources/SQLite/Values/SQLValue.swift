/// A value as SQLite stores it, in one of its five storage classes.
///
/// Literals make values: `let row: [SQLValue] = [1, 2.5, "three", nil, true]`.
@frozen public enum SQLValue: Hashable, Sendable {
    /// A signed integer; SQLite has no wider or unsigned one.
    case integer(Int64)
    /// A double. Not a number cannot be stored and is refused when bound.
    case real(Double)
    /// Text in UTF-8, which may hold NUL.
    case text(String)
    /// Bytes; an empty blob is not NULL.
    case blob([UInt8])
    /// The absence of a value.
    case null

    /// The storage class that the value has.
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
    /// `42` is ``integer(_:)``.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// `4.2` is ``real(_:)``.
    public init(floatLiteral value: Double) { self = .real(value) }
    /// `"text"` is ``text(_:)``.
    public init(stringLiteral value: String) { self = .text(value) }
    /// `true` is 1 and `false` is 0, as in SQL.
    public init(booleanLiteral value: Bool) { self = .integer(value ? 1 : 0) }
    /// `nil` is ``null``.
    public init(nilLiteral: ()) { self = .null }
}
