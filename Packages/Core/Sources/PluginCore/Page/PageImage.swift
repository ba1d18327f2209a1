internal import FoundationEssentials

/// An image of a page, as the content of a PNG file.
///
/// A plugin's own images are made by ``BundleResources/image(_:text:scale:)``. A host that cannot draw images, or not this one, shows the text.
public struct PageImage: Hashable, Sendable {
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
}

extension PageImage: Codable {
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
