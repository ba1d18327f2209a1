extension PageLayout.Element: Decodable {
    private enum CodingKeys: String, CodingKey {
        case heading, text, label, value, rows, divider, image, progress, fraction, section, content, slot
    }

    /// Decodes the element from the key of its kind.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let text = try container.decodeIfPresent(String.self, forKey: .heading) {
            self = .heading(text)
        } else if let name = try container.decodeIfPresent(String.self, forKey: .image) {
            // The text belongs to the image, and is what a host shows that doesn't know images.
            self = .image(
                PageLayout.LayoutImage(name: name, text: try container.decode(String.self, forKey: .text)))
        } else if let text = try container.decodeIfPresent(String.self, forKey: .text) {
            self = .text(text)
        } else if let label = try container.decodeIfPresent(String.self, forKey: .label) {
            self = .field(label: label, value: try container.decode(String.self, forKey: .value))
        } else if let rows = try container.decodeIfPresent([PageLayout.Row].self, forKey: .rows) {
            self = .rows(rows)
        } else if let label = try container.decodeIfPresent(String.self, forKey: .progress) {
            self = .progress(label: label, fraction: try Self.fraction(in: container))
        } else if let title = try container.decodeIfPresent(String.self, forKey: .section) {
            self = .section(title: title, try container.decode([Self].self, forKey: .content))
        } else if let name = try container.decodeIfPresent(String.self, forKey: .slot) {
            self = .slot(name)
        } else if container.contains(.divider) {
            self = .divider
        } else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "an element is one of heading, text, label with value, rows, divider, image with "
                        + "text, progress, section with content, slot"
                )
            )
        }
    }

    /// Returns the fraction, which is a number or a text.
    private static func fraction(in container: KeyedDecodingContainer<CodingKeys>) throws -> String? {
        guard container.contains(.fraction) else { return nil }
        if let number = try? container.decode(Double.self, forKey: .fraction) { return "\(number)" }
        return try container.decode(String.self, forKey: .fraction)
    }
}
