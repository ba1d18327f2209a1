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
///         { "divider": true },
///         { "image": "shop.png", "text": "A shop window" },
///         { "progress": "Delivered", "fraction": "{delivered}" },
///         { "section": "Offers", "content": [
///           { "rows": [ { "title": "Tea", "open": "app://shop/item?id=1", "image": { "name": "tea.png", "text": "" } } ] },
///           { "slot": "offers" }
///         ] }
///       ],
///       "actions": [
///         { "id": "back", "title": "Home", "open": "app://shop" },
///         { "id": "find", "title": "Find", "open": "app://shop/find?text={text}&new={new}&size={size}", "fields": [
///           { "name": "text", "label": "Text" },
///           { "name": "new", "label": "Only what is new", "toggle": true },
///           { "name": "size", "label": "Size", "choices": [ { "value": "s", "title": "Small" }, { "value": "l" } ] }
///         ] }
///       ]
///     }
///   }
/// }
/// ```
///
/// A text that starts with `@` is a key of the bundle's string table. `{name}` is replaced by the parameter of that name, or by nothing if
/// it doesn't exist. In the address that an action with fields opens, `{name}` is also replaced by the value of the field of that name.
///
/// An image is a PNG file of the bundle's resources, chosen as by `BundleResources.file(_:scale:limit:)`. A fraction is a number from 0 to 1 or
/// a text with a parameter; without one, the end is not known. A slot is filled by code, see ``LayoutPage``.
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
        /// The fields that the user fills in first, or nil for none.
        public let fields: [LayoutField]?
    }

    /// A field of an action.
    public struct LayoutField: Sendable, Decodable {
        /// The name that stands for the value in the action's address.
        public let name: String
        /// The label, as text or key.
        public let label: String
        /// The initial value, as text or key, or nil for none.
        public let initial: String?
        /// A Boolean value that indicates whether the field is on or off; its value is `true` or `false`.
        public let toggle: Bool?
        /// The options of a choice, or nil for another field.
        public let choices: [LayoutChoice]?
    }

    /// An option of a field.
    public struct LayoutChoice: Sendable, Decodable {
        /// The value.
        public let value: String
        /// The title, as text or key, or nil for the value.
        public let title: String?
    }

    /// An image of the bundle's resources.
    public struct LayoutImage: Sendable, Decodable {
        /// The name of the file below `Resources`, without a scale modifier.
        public let name: String
        /// The description of the image, as text or key.
        public let text: String
    }

    /// An element, which has exactly one kind.
    public enum Element: Sendable {
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
        /// An image on lines of its own.
        case image(LayoutImage)
        /// Progress. The fraction is a number as text, possibly of a parameter, or nil if the end is not known.
        case progress(label: String, fraction: String?)
        /// Elements below a title.
        indirect case section(title: String, [Element])
        /// A place that code fills with elements.
        case slot(String)
    }

    /// A row of a list.
    public struct Row: Sendable, Decodable {
        /// The title, as text or key.
        public let title: String
        /// The detail, as text or key, or nil for none.
        public let detail: String?
        /// The image at the start of the row, or nil for none.
        public let image: LayoutImage?
        /// The address that is opened if the user chooses the row, or nil. Parameter values are inserted percent-encoded.
        public let open: String?
    }
}

extension PageLayout.Element: Decodable {
    private enum CodingKeys: String, CodingKey {
        case heading, text, label, value, rows, divider, image, progress, fraction, section, content, slot
    }

    /// Decodes the element from the key of its kind.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func value<T: Decodable>(_ key: CodingKeys) throws -> T { try values.decode(T.self, forKey: key) }
        // The text of an image is what a host shows that doesn't know images.
        let kinds: [CodingKeys] = [.heading, .image, .text, .label, .rows, .progress, .section, .slot, .divider]
        self =
            switch kinds.first(where: values.contains) {
            case .heading: .heading(try value(.heading))
            case .image: .image(PageLayout.LayoutImage(name: try value(.image), text: try value(.text)))
            case .text: .text(try value(.text))
            case .label: .field(label: try value(.label), value: try value(.value))
            case .rows: .rows(try value(.rows))
            case .progress:
                .progress(
                    label: try value(.progress),
                    // A number or a text.
                    fraction: try (try? values.decode(Double.self, forKey: .fraction)).map { "\($0)" }
                        ?? values.decodeIfPresent(String.self, forKey: .fraction))
            case .section: .section(title: try value(.section), try value(.content))
            case .slot: .slot(try value(.slot))
            case .divider: .divider
            default:
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: decoder.codingPath,
                        debugDescription: "an element is one of heading, text, label with value, rows, divider, image "
                            + "with text, progress, section with content, slot"))
            }
    }
}
