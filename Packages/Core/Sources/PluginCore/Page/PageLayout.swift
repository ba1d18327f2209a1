/// A file with one or more pages described by data.
///
/// The file is in `Resources/Pages/`:
///
/// ```json
/// {
///   "pages": {
///     "about": {
///       "title": "@about.title",
///       "content": [
///         { "heading": "@about.heading" },
///         { "text": "Hello, {name}." },
///         { "label": "Version", "value": "{version}" },
///         { "rows": [ { "title": "Fast" }, { "title": "Small", "detail": "8 kB" } ] },
///         { "divider": true }
///       ],
///       "actions": [ { "id": "back", "title": "Home", "open": "app://shop" } ]
///     }
///   }
/// }
/// ```
///
/// A text that starts with `@` is a key of the bundle's string table. `{name}` is replaced by the parameter of that name, or by nothing if
/// it doesn't exist.
public struct PageLayout: Sendable, Decodable {
    /// The pages by identifier.
    public let pages: [String: Screen]

    /// A page of the file.
    public struct Screen: Sendable, Decodable {
        /// The title, as text or key.
        public let title: String
        /// The content from top to bottom.
        public let content: [Element]
        /// The actions, or nil for none.
        public let actions: [LayoutAction]?
    }

    /// An action of a page described by data. It opens an address.
    public struct LayoutAction: Sendable, Decodable {
        /// The identifier of the action.
        public let id: String
        /// The title, as text or key.
        public let title: String
        /// The address to open. Parameter values are inserted percent-encoded.
        public let open: String
    }

    /// An element, which has exactly one kind.
    public enum Element: Sendable, Decodable {
        /// A heading.
        case heading(String)
        /// A paragraph.
        case text(String)
        /// A named value.
        case field(label: String, value: String)
        /// Rows with a title and an optional detail.
        case rows([Row])
        /// A separator line.
        case divider

        private enum CodingKeys: String, CodingKey {
            case heading
            case text
            case label
            case value
            case rows
            case divider
        }

        /// Decodes the element from the key of its kind.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            if let text = try container.decodeIfPresent(String.self, forKey: .heading) {
                self = .heading(text)
            } else if let text = try container.decodeIfPresent(String.self, forKey: .text) {
                self = .text(text)
            } else if let label = try container.decodeIfPresent(String.self, forKey: .label) {
                self = .field(label: label, value: try container.decode(String.self, forKey: .value))
            } else if let rows = try container.decodeIfPresent([Row].self, forKey: .rows) {
                self = .rows(rows)
            } else if container.contains(.divider) {
                self = .divider
            } else {
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: decoder.codingPath,
                        debugDescription: "an element is one of heading, text, label with value, rows, divider"
                    )
                )
            }
        }
    }

    /// A row of a list.
    public struct Row: Sendable, Decodable {
        /// The title, as text or key.
        public let title: String
        /// The detail, as text or key, or nil for none.
        public let detail: String?
    }
}
