extension PageElement: Codable {
    private enum Kind: String {
        case heading, text, field, list, divider, image, progress, section
    }

    private enum CodingKeys: CodingKey {
        case kind, text, label, value, rows, image, fraction, title, elements
    }

    /// Decodes an element from an object with its kind and its values, such as `{"kind": "text", "text": "Hello"}`.
    ///
    /// An unknown kind is not an error, but decoded as ``unknown(kind:)``.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let kind = try values.decode(String.self, forKey: .kind)
        self =
            switch Kind(rawValue: kind) {
            case .heading: .heading(try values.decode(String.self, forKey: .text))
            case .text: .text(try values.decode(String.self, forKey: .text))
            case .field:
                .field(
                    label: try values.decode(String.self, forKey: .label),
                    value: try values.decode(String.self, forKey: .value))
            case .list: .list(try values.decode([PageRow].self, forKey: .rows))
            case .divider: .divider
            case .image: .image(try values.decode(PageImage.self, forKey: .image))
            case .progress:
                .progress(
                    label: try values.decode(String.self, forKey: .label),
                    fraction: try values.decodeIfPresent(Double.self, forKey: .fraction))
            case .section:
                .section(
                    title: try values.decode(String.self, forKey: .title),
                    try values.decode([PageElement].self, forKey: .elements))
            case nil: .unknown(kind: kind)
            }
    }

    /// Encodes the element as an object with its kind and its values.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        func encode(_ kind: Kind) throws { try values.encode(kind.rawValue, forKey: .kind) }
        switch self {
        case .heading(let text):
            try encode(.heading)
            try values.encode(text, forKey: .text)
        case .text(let text):
            try encode(.text)
            try values.encode(text, forKey: .text)
        case .field(let label, let value):
            try encode(.field)
            try values.encode(label, forKey: .label)
            try values.encode(value, forKey: .value)
        case .list(let rows):
            try encode(.list)
            try values.encode(rows, forKey: .rows)
        case .divider: try encode(.divider)
        case .image(let image):
            try encode(.image)
            try values.encode(image, forKey: .image)
        case .progress(let label, let fraction):
            try encode(.progress)
            try values.encode(label, forKey: .label)
            // JSON has no infinite numbers.
            try values.encodeIfPresent(fraction?.asFraction, forKey: .fraction)
        case .section(let title, let elements):
            try encode(.section)
            try values.encode(title, forKey: .title)
            try values.encode(elements, forKey: .elements)
        case .unknown(let kind): try values.encode(kind, forKey: .kind)
        }
    }
}

extension Double {
    /// The nearest number from 0 to 1, or nil for a value that is not a number.
    public var asFraction: Double? { isNaN ? nil : min(max(self, 0), 1) }
}
