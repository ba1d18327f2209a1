/// A JSON document that a command has printed, or a part of it.
enum PrintedJSON: Decodable, Equatable {
    case absent
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([PrintedJSON])
    case members([String: PrintedJSON])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self =
            if container.decodeNil() {
                .null
            } else if let value = try? container.decode(Bool.self) {
                .bool(value)
            } else if let value = try? container.decode(Double.self) {
                .number(value)
            } else if let value = try? container.decode(String.self) {
                .text(value)
            } else if let elements = try? container.decode([PrintedJSON].self) {
                .list(elements)
            } else {
                .members(try container.decode([String: PrintedJSON].self))
            }
    }

    /// The part at a path such as "library.findings.rule": of a list, the parts of all elements.
    subscript(path: String) -> PrintedJSON {
        path.split(separator: ".").reduce(self) { part, name in
            switch part {
            case .members(let members): members[String(name)] ?? .absent
            case .list(let elements): .list(elements.map { $0[String(name)] })
            default: .absent
            }
        }
    }

    /// The elements of a list; none of anything else.
    var elements: [PrintedJSON] { if case .list(let elements) = self { elements } else { [] } }

    /// The texts among the elements.
    var texts: [String] { elements.compactMap { if case .text(let text) = $0 { text } else { nil } } }

    static func texts(_ texts: [String]) -> PrintedJSON { .list(texts.map { .text($0) }) }
}

extension PrintedJSON: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByStringInterpolation,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(integerLiteral value: Int) { self = .number(Double(value)) }
    init(stringLiteral value: String) { self = .text(value) }
    init(arrayLiteral elements: PrintedJSON...) { self = .list(elements) }
    init(dictionaryLiteral elements: (String, PrintedJSON)...) {
        self = .members(Dictionary(uniqueKeysWithValues: elements))
    }
}
