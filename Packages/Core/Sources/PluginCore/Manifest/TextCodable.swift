/// A value that JSON contains as its text, such as an identifier or a version.
public protocol TextCodable: LosslessStringConvertible, Codable {}

extension TextCodable {
    /// Reads the text of a value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Self(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" is not a \(Self.self)")
        }
        self = value
    }

    /// Writes the text of the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension BundleIdentifier: TextCodable {}
extension SemanticVersion: TextCodable {}
extension VersionRange: TextCodable {}
