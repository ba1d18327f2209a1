/// An element of a page. Hosts omit kinds that they don't know, which a newer Core may add.
public enum PageElement: Hashable, Sendable {
    /// A heading inside the page.
    case heading(String)
    /// A paragraph.
    case text(String)
    /// A named value, such as a price.
    case field(label: String, value: String)
    /// A list of rows.
    case list([PageRow])
    /// A separator line.
    case divider
}

/// One row of a list.
public struct PageRow: Hashable, Codable, Sendable {
    /// The title of the row.
    public let title: String
    /// Additional text, drawn at the end of the row. It may be empty.
    public let detail: String

    /// Creates a row.
    public init(_ title: String, detail: String = "") {
        self.title = title
        self.detail = detail
    }
}

extension PageElement: Codable {
    private enum Kind: String, Codable {
        case heading, text, field, list, divider
    }

    private enum CodingKeys: CodingKey {
        case kind, text, label, value, rows
    }

    /// Decodes an element from an object with its kind and its values, such as `{"kind": "text", "text": "Hello"}`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self =
            switch try values.decode(Kind.self, forKey: .kind) {
            case .heading: .heading(try values.decode(String.self, forKey: .text))
            case .text: .text(try values.decode(String.self, forKey: .text))
            case .field:
                .field(
                    label: try values.decode(String.self, forKey: .label),
                    value: try values.decode(String.self, forKey: .value))
            case .list: .list(try values.decode([PageRow].self, forKey: .rows))
            case .divider: .divider
            }
    }

    /// Encodes the element as an object with its kind and its values.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .heading(let text):
            try values.encode(Kind.heading, forKey: .kind)
            try values.encode(text, forKey: .text)
        case .text(let text):
            try values.encode(Kind.text, forKey: .kind)
            try values.encode(text, forKey: .text)
        case .field(let label, let value):
            try values.encode(Kind.field, forKey: .kind)
            try values.encode(label, forKey: .label)
            try values.encode(value, forKey: .value)
        case .list(let rows):
            try values.encode(Kind.list, forKey: .kind)
            try values.encode(rows, forKey: .rows)
        case .divider: try values.encode(Kind.divider, forKey: .kind)
        }
    }
}
