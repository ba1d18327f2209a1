/// A JSON document to be written, which keeps the order of members.
///
/// Commands build their result as one such value and write it once, so that standard output is exactly one document. Duplicate
/// members are not detected.
///
/// ```swift
/// let document: JSONText = ["name": "cart", "sizes": [1, 2.5], "next": nil]
/// document.text()  // {"name":"cart","sizes":[1,2.5],"next":null}
/// ```
public indirect enum JSONText: Sendable {
    /// The members in the order of output.
    case object([(String, JSONText)])
    /// The elements in order.
    case array([JSONText])
    /// A string, which is escaped in the output.
    case string(String)
    /// An integer, written in full although many readers keep only 53 bits.
    case integer(Int)
    /// A number in its shortest exact form; infinity and NaN, which JSON lacks, become `null`.
    case number(Double)
    /// `true` or `false`.
    case bool(Bool)
    /// The absence of a value.
    case null
}

extension JSONText: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringInterpolation,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    /// Creates an object whose members have the order of the literal.
    public init(dictionaryLiteral elements: (String, JSONText)...) { self = .object(elements) }
    /// Creates an array.
    public init(arrayLiteral elements: JSONText...) { self = .array(elements) }
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates an integer.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// Creates a number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// Creates a Boolean value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates null.
    public init(nilLiteral: ()) { self = .null }
}

extension JSONText {
    /// Returns a string, or null for `nil`.
    public static func string(orNull text: String?) -> JSONText { text.map { .string($0) } ?? .null }

    /// Returns an array of strings.
    public static func strings(_ texts: some Sequence<String>) -> JSONText { .array(texts.map { .string($0) }) }
}
