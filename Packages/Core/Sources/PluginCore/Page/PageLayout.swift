/// A page described by data: a file in `Resources/Pages/` that holds one or more pages by identifier.
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
/// A text that starts with `@` is a key of the bundle's string table; `{name}` is replaced by the parameter of that name, and by nothing
/// when there is none.
public struct PageLayout: Sendable, Decodable {
    /// The pages by identifier.
    public let pages: [String: Screen]

    /// One page of the file.
    public struct Screen: Sendable, Decodable {
        /// The title's text or key.
        public let title: String
        /// What is shown, top to bottom.
        public let content: [Element]
        /// What can be done; absent means nothing.
        public let actions: [LayoutAction]?
    }

    /// An action of a page described by data: it opens an address.
    public struct LayoutAction: Sendable, Decodable {
        /// The action's identifier.
        public let id: String
        /// The text or key the user reads.
        public let title: String
        /// The address it opens; `{name}` is replaced, percent-encoded.
        public let open: String
    }

    /// One element; exactly one of its kinds is there.
    public enum Element: Sendable, Decodable {
        /// A headline.
        case heading(String)
        /// A paragraph.
        case text(String)
        /// A named value.
        case field(label: String, value: String)
        /// Rows, each a title and a detail.
        case rows([Row])
        /// A line.
        case divider

        private enum CodingKeys: String, CodingKey {
            case heading
            case text
            case label
            case value
            case rows
            case divider
        }

        /// Reads the one kind that is there.
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
        /// The title's text or key.
        public let title: String
        /// The detail's text or key; absent means none.
        public let detail: String?
    }
}
