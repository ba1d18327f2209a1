/// A value of a JSON document, of which a test names what it needs; a missing member is null.
@dynamicMemberLookup
enum JSON: Decodable, Hashable, Sendable {
    case object([String: JSON]), list([JSON]), text(String), number(Double), boolean(Bool), null

    init(from decoder: any Decoder) throws {
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

    subscript(dynamicMember name: String) -> JSON {
        if case .object(let members) = self { members[name] ?? .null } else { .null }
    }

    /// The values of a list, or an empty array for any other value.
    var elements: [JSON] { if case .list(let list) = self { list } else { [] } }
    /// The text, or an empty string for any other value.
    var string: String { if case .text(let text) = self { text } else { "" } }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral
{
    init(stringLiteral text: String) { self = .text(text) }
    init(booleanLiteral boolean: Bool) { self = .boolean(boolean) }
    init(floatLiteral number: Double) { self = .number(number) }
    init(integerLiteral number: Int) { self = .number(Double(number)) }
    init(arrayLiteral elements: JSON...) { self = .list(elements) }
}

extension JSON: CustomStringConvertible {
    var description: String {
        switch self {
        case .object(let members): "\(members)"
        case .list(let list): "\(list)"
        case .text(let text): text
        case .number(let number): "\(number)"
        case .boolean(let boolean): "\(boolean)"
        case .null: "null"
        }
    }
}
