import CTerminalImages

/// The pixels of an image, each with red, green, blue and alpha.
public struct Bitmap: Hashable, Sendable {
    /// The largest number of pixels of an image that is decoded. They take 16 MiB.
    public static let pixelLimit = 4 << 20
    /// The largest size of a file that is decoded, in bytes.
    public static let fileLimit = 16 << 20

    /// The width in pixels, at least 1.
    public let width: Int
    /// The height in pixels, at least 1.
    public let height: Int
    /// Four bytes for each pixel, row by row.
    public let bytes: [UInt8]
}

extension Bitmap {
    /// Decodes a PNG file.
    ///
    /// The memory that this takes is limited: a file is refused before its pixels are decoded if it or they are too large.
    public init(png: [UInt8]) throws(ImageError) {
        guard png.count <= Self.fileLimit else { throw .fileTooLarge(png.count) }
        // An empty array has no address.
        guard !png.isEmpty else { throw .damaged("the file is empty") }
        guard let library = PNGLibrary.shared else { throw .damaged("libpng16.so.16 cannot be opened") }
        // The library keeps the addresses of the image and of the file between the calls.
        let image = PNGLibrary.Image.allocate(capacity: 1)
        image.initialize(to: png_image())
        defer {
            library.release(image)
            image.deallocate()
        }
        image.pointee.version = png_uint_32(PNG_IMAGE_VERSION)
        self = try png.span.withUnsafeBytes { (file) throws(ImageError) in
            guard library.begin(image, file.baseAddress, file.count) != 0 else { throw Self.damage(of: image.pointee) }
            let (width, height) = (Int(image.pointee.width), Int(image.pointee.height))
            guard width * height <= Self.pixelLimit else { throw .tooManyPixels(width: width, height: height) }
            image.pointee.format = png_uint_32(PNG_FORMAT_FLAG_ALPHA | PNG_FORMAT_FLAG_COLOR)
            var bytes = [UInt8](repeating: 0, count: width * height * 4)
            guard library.finish(image, nil, &bytes, 0, nil) != 0 else { throw Self.damage(of: image.pointee) }
            return Self(width: width, height: height, bytes: bytes)
        }
    }

    private static func damage(of image: png_image) -> ImageError {
        .damaged(withUnsafeBytes(of: image.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
}

/// The reason why an image cannot be drawn.
public enum ImageError: Error, Hashable {
    /// The file has this size in bytes, which is more than ``Bitmap/fileLimit``.
    case fileTooLarge(Int)
    /// The image has more pixels than ``Bitmap/pixelLimit``.
    case tooManyPixels(width: Int, height: Int)
    /// libpng rejects the file with this message.
    case damaged(String)
}

extension Bitmap {
    /// Returns the image in another size. Each pixel is the average of those that it covers.
    ///
    /// A size below 1 counts as 1.
    public func scaled(width newWidth: Int, height newHeight: Int) -> Bitmap {
        let (newWidth, newHeight) = (max(1, newWidth), max(1, newHeight))
        if newWidth == width, newHeight == height { return self }
        let columns = (0..<newWidth).map { range(of: $0, in: newWidth, from: width) }
        var result: [UInt8] = []
        result.reserveCapacity(newWidth * newHeight * 4)
        for y in 0..<newHeight {
            let rows = range(of: y, in: newHeight, from: height)
            for column in columns { appendAverage(column, rows, to: &result) }
        }
        return Self(width: newWidth, height: newHeight, bytes: result)
    }

    /// Returns the positions in the image that a position in the scaled image covers, at least one.
    private func range(of position: Int, in size: Int, from old: Int) -> Range<Int> {
        let start = min(position * old / size, old - 1)
        return start..<max(start + 1, min((position + 1) * old / size, old))
    }

    /// Appends the average color of a part, in which transparent pixels count less.
    private func appendAverage(_ columns: Range<Int>, _ rows: Range<Int>, to result: inout [UInt8]) {
        var (red, green, blue, alpha) = (0, 0, 0, 0)
        for y in rows {
            for x in columns {
                let start = (y * width + x) * 4
                let weight = Int(bytes[start + 3])
                red += Int(bytes[start]) * weight
                green += Int(bytes[start + 1]) * weight
                blue += Int(bytes[start + 2]) * weight
                alpha += weight
            }
        }
        let count = columns.count * rows.count
        for channel in [red, green, blue] { result.append(UInt8(alpha == 0 ? 0 : channel / alpha)) }
        result.append(UInt8(alpha / count))
    }

    /// Returns the color of a pixel, or nil for one that is mostly transparent.
    func color(x: Int, y: Int) -> PixelColor? {
        let start = (y * width + x) * 4
        guard bytes[start + 3] >= 128 else { return nil }
        return PixelColor(red: bytes[start], green: bytes[start + 1], blue: bytes[start + 2])
    }
}

/// The color of a pixel.
public struct PixelColor: Hashable, Sendable {
    /// The red part.
    public let red: UInt8
    /// The green part.
    public let green: UInt8
    /// The blue part.
    public let blue: UInt8

    /// The nearest of the colors 16 to 255 that terminals with 256 colors share: a cube of 216 colors, and 24 grays.
    public var indexOf256: Int {
        let levels = [0, 95, 135, 175, 215, 255]
        let parts = [red, green, blue].map { part in
            levels.indices.min { abs(levels[$0] - Int(part)) < abs(levels[$1] - Int(part)) } ?? 0
        }
        let average = (Int(red) + Int(green) + Int(blue)) / 3
        let gray = min(max((average - 3) / 10, 0), 23)
        let cube = distance(to: parts.map { levels[$0] })
        if distance(to: Array(repeating: 8 + 10 * gray, count: 3)) < cube { return 232 + gray }
        return 16 + 36 * parts[0] + 6 * parts[1] + parts[2]
    }

    private func distance(to other: [Int]) -> Int {
        zip([red, green, blue], other).map { (Int($0) - $1) * (Int($0) - $1) }.reduce(0, +)
    }
}
