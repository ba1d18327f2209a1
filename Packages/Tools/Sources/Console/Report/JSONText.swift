public import PluginCore

/// A JSON document to be written, which keeps the order of members.
///
/// Commands build their result as one such value and write it once, so that standard output is exactly one document. Duplicate
/// members are not detected.
///
/// ```swift
/// let document: JSONText = ["name": name, "sizes": [1, 2], "team": seal?.team]
/// document.text()  // {"name":"cart","sizes":[1,2],"team":null}
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
    /// A value that another program has written, which must be valid.
    case document(String)
}

extension JSONText: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringInterpolation,
    ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
    /// Creates an object whose members have the order of the literal.
    public init(dictionaryLiteral elements: (String, any JSONConvertible)...) {
        self = .object(elements.map { ($0, $1.json) })
    }
    /// Creates an array.
    public init(arrayLiteral elements: JSONText...) { self = .array(elements) }
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates an integer.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// Creates a Boolean value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

/// A value that a document for scripts can contain.
public protocol JSONConvertible {
    /// The value as a part of a document.
    var json: JSONText { get }
}

extension JSONText: JSONConvertible {
    /// The document itself.
    public var json: JSONText { self }

    /// Creates a document from a literal.
    public init(_ literal: JSONText) { self = literal }

    /// Returns the object with the members of two objects.
    public static func + (one: JSONText, other: JSONText) -> JSONText { .object(one.members + other.members) }

    private var members: [(String, JSONText)] { if case .object(let members) = self { members } else { [] } }
}

extension Bool: JSONConvertible {
    /// `true` or `false`.
    public var json: JSONText { .bool(self) }
}

extension Int: JSONConvertible {
    /// The integer.
    public var json: JSONText { .integer(self) }
}

extension Double: JSONConvertible {
    /// The number.
    public var json: JSONText { .number(self) }
}

extension Optional: JSONConvertible where Wrapped: JSONConvertible {
    /// The value, or null.
    public var json: JSONText { self?.json ?? .null }
}

extension Array: JSONConvertible where Element: JSONConvertible {
    /// The elements.
    public var json: JSONText { .array(map(\.json)) }
}

extension JSONConvertible where Self: CustomStringConvertible {
    /// The description.
    public var json: JSONText { .string(description) }
}

extension String: JSONConvertible {}
extension FilePath: JSONConvertible {}
extension SemanticVersion: JSONConvertible {}
extension BundleIdentifier: JSONConvertible {}
extension BundleIdentity: JSONConvertible {}

extension JSONText {
    /// Returns the document as defined by RFC 8259, without a final line feed.
    ///
    /// In addition to what JSON requires, every character that ``printable(_:keepingLines:)`` replaces is written as a `\u` escape,
    /// so that the document can safely be shown on a terminal.
    ///
    /// - Parameter pretty: `true` for one member or element per line, indented by two spaces; `false` for no white space.
    public func text(pretty: Bool = false) -> String { text(indent: pretty ? 0 : nil) }

    private func text(indent: Int?) -> String {
        let (inner, colon) = (indent.map { $0 + 2 }, indent == nil ? ":" : ": ")
        return switch self {
        case .object(let members):
            list("{", members.map { literal($0.0) + colon + $0.1.text(indent: inner) }, "}", indent)
        case .array(let elements): list("[", elements.map { $0.text(indent: inner) }, "]", indent)
        case .string(let value): literal(value)
        case .integer(let value): "\(value)"
        case .number(let value): value.isFinite ? "\(value)" : "null"
        case .bool(let value): "\(value)"
        case .null: "null"
        case .document(let text): text
        }
    }

    private func list(_ open: String, _ items: [String], _ close: String, _ indent: Int?) -> String {
        guard let indent, !items.isEmpty else { return open + items.joined(separator: ",") + close }
        let margin = "\n" + spaces(indent)
        return open + items.map { margin + "  " + $0 }.joined(separator: ",") + margin + close
    }

    private func literal(_ value: String) -> String {
        var text = "\""
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
                for unit in String(scalar).utf16 { text += "\\u" + String(0x1_0000 + Int(unit), radix: 16).dropFirst() }
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
