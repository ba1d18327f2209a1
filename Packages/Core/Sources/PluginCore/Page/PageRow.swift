/// One row of a list.
///
/// A row with an action can be chosen:
///
/// ```swift
/// PageRow("Tea", detail: "3.50", image: resources.image("tea.png", text: ""), action: "open", input: ["id": "42"])
/// ```
///
/// The page then performs the action with that input. The action need not be among the page's ``Page/actions``. If it is there and has fields,
/// the user fills them in first; the row's input is their initial text.
public struct PageRow: Hashable, Sendable {
    /// The title of the row.
    public let title: String
    /// Additional text, drawn at the end of the row. It may be empty.
    public let detail: String
    /// The image at the start of the row, or nil for none. Hosts draw it as an icon, about as high as the row.
    public let image: PageImage?
    /// The identifier of the action that is performed if the user chooses the row, or nil for a row that only shows something.
    public let action: String?
    /// The input of the action.
    public let input: [String: String]

    /// Creates a row that cannot be chosen.
    public init(_ title: String, detail: String = "") {
        self.init(title, detail: detail, image: nil)
    }

    /// Creates a row.
    public init(
        _ title: String, detail: String = "", image: PageImage? = nil, action: String? = nil,
        input: [String: String] = [:]
    ) {
        self.title = title
        self.detail = detail
        self.image = image
        self.action = action
        self.input = input
    }
}

extension PageRow: Codable {
    private enum CodingKeys: CodingKey {
        case title, detail, image, action, input
    }

    /// Decodes a row. Only the title is required.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try values.decode(String.self, forKey: .title),
            detail: try values.decodeIfPresent(String.self, forKey: .detail) ?? "",
            image: try values.decodeIfPresent(PageImage.self, forKey: .image),
            action: try values.decodeIfPresent(String.self, forKey: .action),
            input: try values.decodeIfPresent([String: String].self, forKey: .input) ?? [:])
    }

    /// Encodes the title and the detail, and what else the row has.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(title, forKey: .title)
        try values.encode(detail, forKey: .detail)
        try values.encodeIfPresent(image, forKey: .image)
        try values.encodeIfPresent(action, forKey: .action)
        if !input.isEmpty { try values.encode(input, forKey: .input) }
    }
}
