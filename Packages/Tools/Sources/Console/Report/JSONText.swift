/// A JSON document on its way out: results are built as this value and written once, so that standard output carries
/// exactly one document.
///
/// Members keep their order. Two members of one name are written as they are: do not build them.
///
/// ```swift
/// let document: JSONText = ["name": "cart", "sizes": [1, 2.5], "next": nil]
/// document.text()  // {"name":"cart","sizes":[1,2.5],"next":null}
/// ```
public indirect enum JSONText: Sendable {
    /// Members in the order they are written.
    case object([(String, JSONText)])
    /// Elements in order.
    case array([JSONText])
    /// Any text; escaped when written.
    case string(String)
    /// A whole number, written in full, though many readers keep only 53 bits of it.
    case integer(Int)
    /// A number, in the shortest form that reads back the same; infinity and NaN, which JSON lacks, become `null`.
    case number(Double)
    /// `true` or `false`.
    case bool(Bool)
    /// Known to be absent.
    case null
}

extension JSONText: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringInterpolation,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    /// An object with its members in the literal's order.
    public init(dictionaryLiteral elements: (String, JSONText)...) { self = .object(elements) }
    /// An array.
    public init(arrayLiteral elements: JSONText...) { self = .array(elements) }
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An integer.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Null.
    public init(nilLiteral: ()) { self = .null }
}

extension JSONText {
    /// The string, or null for none.
    public static func string(orNull text: String?) -> JSONText { text.map { .string($0) } ?? .null }

    /// An array of strings.
    public static func strings(_ texts: some Sequence<String>) -> JSONText { .array(texts.map { .string($0) }) }
}
