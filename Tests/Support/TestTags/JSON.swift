/// A value of a JSON document, of which a test names what it needs.
///
/// A member is found by its name, or by a path such as `report["library.findings.rule"]`.
@dynamicMemberLookup
public enum JSON: Decodable, Hashable, Sendable {
    /// A value that is a part of a document.
    case object([String: JSON]), list([JSON]), text(String), number(Double), boolean(Bool), null
    /// The value at a path that is not in the document.
    case absent

    /// Reads any value.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let boolean = try? value.decode(Bool.self) {
            self = .boolean(boolean)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let list = try? value.decode([JSON].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: JSON].self))
        }
    }

    /// A member of an object, or null if it is missing.
    public subscript(dynamicMember name: String) -> JSON {
        if case .object(let members) = self { members[name] ?? .null } else { .null }
    }

    /// The part at a path: of a list, the parts of all elements.
    public subscript(path: String) -> JSON {
        path.split(separator: ".").reduce(self) { part, name in
            switch part {
            case .object(let members): members[String(name)] ?? .absent
            case .list(let elements): .list(elements.map { $0[String(name)] })
            default: .absent
            }
        }
    }

    /// The values of a list, or an empty array for any other value.
    public var elements: [JSON] { if case .list(let list) = self { list } else { [] } }
    /// The texts among the elements.
    public var texts: [String] { elements.compactMap { if case .text(let text) = $0 { text } else { nil } } }
    /// The text, or an empty string for any other value.
    public var string: String { if case .text(let text) = self { text } else { "" } }

    /// Returns a list of texts.
    public static func texts(_ texts: [String]) -> JSON { .list(texts.map { .text($0) }) }
}

extension JSON: ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a text.
    public init(stringLiteral text: String) { self = .text(text) }
    /// Creates a Boolean value.
    public init(booleanLiteral boolean: Bool) { self = .boolean(boolean) }
    /// Creates a number.
    public init(floatLiteral number: Double) { self = .number(number) }
    /// Creates a number without a fraction.
    public init(integerLiteral number: Int) { self = .number(Double(number)) }
    /// Creates a list.
    public init(arrayLiteral elements: JSON...) { self = .list(elements) }
    /// Creates an object.
    public init(dictionaryLiteral members: (String, JSON)...) {
        self = .object(Dictionary(uniqueKeysWithValues: members))
    }
}

extension JSON: CustomStringConvertible {
    /// The text itself, or a description of any other value.
    public var description: String {
        switch self {
        case .object(let members): "\(members)"
        case .list(let list): "\(list)"
        case .text(let text): text
        case .number(let number): "\(number)"
        case .boolean(let boolean): "\(boolean)"
        case .null: "null"
        case .absent: "absent"
        }
    }
}
