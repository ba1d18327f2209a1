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

    /// Returns an integer, or null for `nil`.
    public static func integer(orNull number: Int?) -> JSONText { number.map { .integer($0) } ?? .null }

    /// Returns an array of strings.
    public static func strings(_ texts: some Sequence<String>) -> JSONText { .array(texts.map { .string($0) }) }

    /// Returns the document as defined by RFC 8259, without a final line feed.
    ///
    /// In addition to what JSON requires, every character that ``printable(_:keepingLines:)`` replaces is written as a `\u` escape,
    /// so that the document can safely be shown on a terminal.
    ///
    /// - Parameter pretty: `true` for one member or element per line, indented by two spaces; `false` for no white space.
    public func text(pretty: Bool = false) -> String {
        var text = ""
        write(into: &text, indent: pretty ? 0 : nil)
        return text
    }

    private func write(into text: inout String, indent: Int?) {
        switch self {
        case .object(let members):
            Self.writeList(members, "{", "}", into: &text, indent: indent) { member, text, indent in
                Self.writeString(member.0, into: &text)
                text += indent == nil ? ":" : ": "
                member.1.write(into: &text, indent: indent)
            }
        case .array(let elements):
            Self.writeList(elements, "[", "]", into: &text, indent: indent) { element, text, indent in
                element.write(into: &text, indent: indent)
            }
        case .string(let value): Self.writeString(value, into: &text)
        case .integer(let value): text += String(value)
        case .number(let value): text += value.isFinite ? "\(value)" : "null"
        case .bool(let value): text += value ? "true" : "false"
        case .null: text += "null"
        }
    }

    private static func writeList<Element>(
        _ elements: [Element], _ open: String, _ close: String, into text: inout String, indent: Int?,
        write: (Element, inout String, Int?) -> Void
    ) {
        text += open
        let inner = indent.map { $0 + 2 }
        for (index, element) in elements.enumerated() {
            if index > 0 { text += "," }
            if let inner { text += "\n" + String(repeating: " ", count: inner) }
            write(element, &text, inner)
        }
        if let indent, !elements.isEmpty { text += "\n" + String(repeating: " ", count: indent) }
        text += close
    }

    private static func writeString(_ value: String, into text: inout String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{8}": text += "\\b"
            case "\u{C}": text += "\\f"
            case _ where steersTerminal(scalar):
                for unit in UTF16.encode(scalar) ?? UTF16.EncodedScalar() { text += escape(unit) }
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    private static func escape(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
