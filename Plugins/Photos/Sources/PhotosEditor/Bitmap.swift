internal import CPNG
internal import PluginCore

/// The pixels of a picture, gray or in color, each with an alpha value.
struct Bitmap: Hashable, Sendable {
    /// The maximum size of a file, in bytes.
    static let fileLimit = 32 << 20
    /// The maximum number of pixels. In color, they take 48 MB, of which the editor needs two copies.
    static let pixelLimit = 12_000_000

    let width: Int
    let height: Int
    /// The number of bytes of a pixel: 2 for gray and alpha, 4 for color and alpha.
    let channels: Int
    /// The bytes, row by row.
    let bytes: [UInt8]
}

extension Bitmap {
    /// Decodes a PNG.
    ///
    /// - Throws: ``AtriumError`` with code `pictureInvalid` for other data, a damaged picture, and one that is too large.
    init(png: [UInt8], isGray: Bool) throws {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        defer { png_image_free(&image) }
        // libpng reads from the same memory again when it decodes the pixels.
        self = try png.withUnsafeBytes { file in
            guard png_image_begin_read_from_memory(&image, file.baseAddress, file.count) != 0 else {
                throw Self.failure(image)
            }
            let (width, height) = (Int(image.width), Int(image.height))
            guard width * height <= Self.pixelLimit else {
                throw AtriumError(
                    .pictureInvalid, "\(width) × \(height)",
                    message: "the picture has more than \(Self.pixelLimit) pixels", remedy: "select a smaller picture")
            }
            image.format = Self.format(isGray: isGray)
            let channels = isGray ? 2 : 4
            let bytes = try [UInt8](unsafeUninitializedCapacity: width * height * channels) { buffer, count in
                guard png_image_finish_read(&image, nil, buffer.baseAddress, 0, nil) != 0 else {
                    throw Self.failure(image)
                }
                count = width * height * channels
            }
            return Bitmap(width: width, height: height, channels: channels, bytes: bytes)
        }
    }

    /// Returns the picture after a number of clockwise rotations by 90 degrees.
    func rotated(quarterTurns: Int) -> Bitmap {
        guard quarterTurns > 0 else { return self }
        var rotated: [UInt8] = []
        // The first row of the result is the first column, from bottom to top.
        for column in 0..<width {
            for row in (0..<height).reversed() {
                let start = (row * width + column) * channels
                rotated.append(contentsOf: bytes[start..<start + channels])
            }
        }
        return Bitmap(width: height, height: width, channels: channels, bytes: rotated)
            .rotated(quarterTurns: quarterTurns - 1)
    }

    /// Writes the picture as a PNG file.
    ///
    /// - Throws: ``AtriumError`` with code `pictureInvalid` if the file cannot be written.
    func write(to path: FilePath) throws(AtriumError) {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        (image.width, image.height) = (png_uint_32(width), png_uint_32(height))
        image.format = Self.format(isGray: channels == 2)
        defer { png_image_free(&image) }
        guard png_image_write_to_file(&image, path.string, 0, bytes, 0, nil) != 0 else { throw Self.failure(image) }
    }

    private static func format(isGray: Bool) -> png_uint_32 {
        png_uint_32(isGray ? PNG_FORMAT_FLAG_ALPHA : PNG_FORMAT_FLAG_ALPHA | PNG_FORMAT_FLAG_COLOR)
    }

    private static func failure(_ image: png_image) -> AtriumError {
        let text = withUnsafeBytes(of: image.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return AtriumError(.pictureInvalid, "PNG", message: "libpng rejects the picture: \(text)")
    }
}
