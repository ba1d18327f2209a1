internal import CTerminalImages

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

    init(width: Int, height: Int, bytes: [UInt8]) {
        self.width = width
        self.height = height
        self.bytes = bytes
    }

    /// Decodes a PNG file.
    ///
    /// The memory that this takes is limited: a file is refused before its pixels are decoded if it or they are too large.
    public init(png: [UInt8]) throws(ImageError) {
        guard png.count <= Self.fileLimit else { throw .fileTooLarge(png.count) }
        // An empty array has no address.
        guard !png.isEmpty else { throw .damaged("the file is empty") }
        var size = image_size()
        try Self.run { image_read_size(png, png.count, &size, $0) }
        let (width, height) = (Int(size.width), Int(size.height))
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        guard !overflow, pixels <= Self.pixelLimit else { throw .tooManyPixels(width: width, height: height) }
        guard pixels > 0 else { throw .damaged("it has no pixels") }
        var bytes = [UInt8](repeating: 0, count: pixels * 4)
        try Self.run { image_read_pixels(png, png.count, size, &bytes, $0) }
        self.init(width: width, height: height, bytes: bytes)
    }

    private static func run(_ body: (UnsafeMutablePointer<CChar>) -> Int32) throws(ImageError) {
        var problem = [CChar](repeating: 0, count: 96)
        let status = problem.withUnsafeMutableBufferPointer { $0.baseAddress.map(body) ?? -1 }
        guard status == 0 else {
            throw .damaged(String(decoding: problem.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
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
