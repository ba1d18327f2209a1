import FoundationEssentials

/// An element of a page. Hosts omit kinds that they don't know, which a newer Core may add.
public enum PageElement: Hashable, Sendable, Codable {
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
    /// An image on lines of its own.
    case image(PageImage)
    /// The progress of something that takes time.
    ///
    /// The fraction is from 0 to 1; hosts draw one outside of that range as the nearest bound. Nil, or a value that is not a number, means that
    /// the end is not known.
    case progress(label: String, fraction: Double?)
    /// Elements that belong together, below a title. The title may be empty.
    indirect case section(title: String, [PageElement])
    /// An element of a kind that this version of Core doesn't know, as decoded from the data of a newer one. Hosts omit it.
    case unknown(kind: String)

    /// The rows of the element and of the elements in it, from top to bottom.
    public var rows: [PageRow] {
        switch self {
        case .list(let rows): rows
        case .section(_, let elements): elements.flatMap(\.rows)
        default: []
        }
    }

    private enum CodingKeys: CodingKey {
        case kind, text, label, value, rows, image, fraction, title, elements
    }

    /// Decodes an element from an object with its kind and its values, such as `{"kind": "text", "text": "Hello"}`.
    ///
    /// An unknown kind is not an error, but decoded as ``unknown(kind:)``.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func value<T: Decodable>(_ key: CodingKeys) throws -> T { try values.decode(T.self, forKey: key) }
        let kind: String = try value(.kind)
        self =
            switch kind {
            case "heading": .heading(try value(.text))
            case "text": .text(try value(.text))
            case "field": .field(label: try value(.label), value: try value(.value))
            case "list": .list(try value(.rows))
            case "divider": .divider
            case "image": .image(try value(.image))
            case "progress":
                .progress(
                    label: try value(.label), fraction: try values.decodeIfPresent(Double.self, forKey: .fraction))
            case "section": .section(title: try value(.title), try value(.elements))
            default: .unknown(kind: kind)
            }
    }

    /// Encodes the element as an object with its kind and its values.
    public func encode(to encoder: any Encoder) throws {
        let (kind, members): (String, KeyValuePairs<CodingKeys, any Encodable>) =
            switch self {
            case .heading(let text): ("heading", [.text: text])
            case .text(let text): ("text", [.text: text])
            case .field(let label, let value): ("field", [.label: label, .value: value])
            case .list(let rows): ("list", [.rows: rows])
            case .divider: ("divider", [:])
            case .image(let image): ("image", [.image: image])
            case .progress(let label, let fraction):
                // JSON has no infinite numbers.
                ("progress", fraction?.asFraction.map { [.label: label, .fraction: $0] } ?? [.label: label])
            case .section(let title, let elements): ("section", [.title: title, .elements: elements])
            case .unknown(let kind): (kind, [:])
            }
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(kind, forKey: .kind)
        for (key, value) in members { try values.encode(value, forKey: key) }
    }
}

extension BundleContext {
    /// Returns rows that are read when a page is drawn as a list, or a text in its place.
    ///
    /// - Parameters:
    ///   - empty: The text if there are no rows.
    ///   - unreadable: The text if they cannot be read. The error is logged.
    ///   - rows: Reads the rows.
    public func list(empty: String, unreadable: String, _ rows: () throws -> [PageRow]) -> PageElement {
        do {
            let rows = try rows()
            return rows.isEmpty ? .text(empty) : .list(rows)
        } catch {
            logger.error("\(unreadable) \(error)")
            return .text(unreadable)
        }
    }
}

extension Double {
    /// The nearest number from 0 to 1, or nil for a value that is not a number.
    public var asFraction: Double? { isNaN ? nil : min(max(self, 0), 1) }
}

/// One row of a list.
///
/// A row that opens an address, or has an action, can be chosen:
///
/// ```swift
/// let link = ItemLink(id: 42)
/// PageRow("Tea", detail: "3.50", image: resources.image("tea.png", text: ""), opens: context.address(for: ShopRoutes.item, link))
/// PageRow("Milk", action: "add", input: ["item": "milk"])
/// ```
///
/// The host opens an address on behalf of the page's bundle. An action is one of the page's ``Page/rowActions``, which gets the row's input,
/// or of its ``Page/actions``, where the user fills in the fields first; the row's input is then their initial text.
public struct PageRow: Hashable, Sendable, Codable {
    /// The title of the row.
    public let title: String
    /// Additional text, drawn at the end of the row. It may be empty.
    public let detail: String
    /// The image at the start of the row, or nil for none. Hosts draw it as an icon, about as high as the row.
    public let image: PageImage?
    /// The identifier of the action that is performed if the user chooses the row, or the address that is opened. It is nil for a row that only
    /// shows something.
    public let action: String?
    /// The input of the action.
    public let input: [String: String]
    /// A Boolean value that indicates whether ``action`` is an address that the host opens, not the identifier of an action.
    public let opensAddress: Bool

    /// Creates a row. One without an action cannot be chosen.
    public init(
        _ title: String, detail: String = "", image: PageImage? = nil, action: String? = nil,
        input: [String: String] = [:]
    ) {
        self.init(title, detail, image, action: action, input, opensAddress: false)
    }

    /// Creates a row that opens an address. One without an address cannot be chosen.
    public init(_ title: String, detail: String = "", image: PageImage? = nil, opens address: ResourceURI?) {
        self.init(title, detail, image, action: address?.text, [:], opensAddress: address != nil)
    }

    private init(
        _ title: String, _ detail: String, _ image: PageImage?, action: String?, _ input: [String: String],
        opensAddress: Bool
    ) {
        (self.title, self.detail, self.image) = (title, detail, image)
        (self.action, self.input, self.opensAddress) = (action, input, opensAddress)
    }

    private enum CodingKeys: CodingKey {
        case title, detail, image, action, input, opensAddress
    }

    /// Decodes a row. Only the title is required.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try values.decode(String.self, forKey: .title),
            try values.decodeIfPresent(String.self, forKey: .detail) ?? "",
            try values.decodeIfPresent(PageImage.self, forKey: .image),
            action: try values.decodeIfPresent(String.self, forKey: .action),
            try values.decodeIfPresent([String: String].self, forKey: .input) ?? [:],
            opensAddress: try values.decodeIfPresent(Bool.self, forKey: .opensAddress) ?? false)
    }

    /// Encodes the title and the detail, and what else the row has.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(title, forKey: .title)
        try values.encode(detail, forKey: .detail)
        try values.encodeIfPresent(image, forKey: .image)
        try values.encodeIfPresent(action, forKey: .action)
        if !input.isEmpty { try values.encode(input, forKey: .input) }
        if opensAddress { try values.encode(true, forKey: .opensAddress) }
    }
}

/// An image of a page, as the content of a PNG file.
///
/// A plugin's own images are made by ``BundleResources/image(_:text:scale:)``. A host that cannot draw images, or not this one, shows the text.
public struct PageImage: Hashable, Sendable, Codable {
    /// The largest image file of a bundle that is shown, in bytes.
    public static let largestFile = 1 << 20

    /// The content of the PNG file. It is empty if only the text can be shown.
    public let png: [UInt8]
    /// A description for people and hosts that don't see the image. It is empty for an image that only decorates.
    public let text: String
    /// The number of the image's pixels per point. An image of 64 by 64 pixels with scale 2 is meant to be 32 by 32 points large.
    public let scale: Int

    /// Creates an image. A scale below 1 counts as 1.
    public init(png: [UInt8], text: String, scale: Int = 1) {
        self.png = png
        self.text = text
        self.scale = max(1, scale)
    }

    private enum CodingKeys: CodingKey {
        case png, text, scale
    }

    /// Decodes an image, whose file is in Base64.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        guard let png = Data(base64Encoded: try values.decode(String.self, forKey: .png)) else {
            throw DecodingError.dataCorruptedError(forKey: .png, in: values, debugDescription: "it is not in Base64")
        }
        self.init(
            png: Array(png), text: try values.decode(String.self, forKey: .text),
            scale: try values.decodeIfPresent(Int.self, forKey: .scale) ?? 1)
    }

    /// Encodes the image, with its file in Base64.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(Data(png).base64EncodedString(), forKey: .png)
        try values.encode(text, forKey: .text)
        try values.encode(scale, forKey: .scale)
    }
}
