/// A PNG file with pixels that are not compressed (RFC 2083, and RFC 1951, 3.2.4).
struct PNGFile {
    let bytes: [UInt8]

    /// Creates a file.
    ///
    /// - Parameter pixels: Red, green, blue and alpha of each pixel, or nothing for a file that only claims to have that size.
    init(width: Int, height: Int, _ pixels: [UInt8]) {
        let header = Self.number(width) + Self.number(height) + [8, 6, 0, 0, 0]
        var rows: [UInt8] = []
        for start in stride(from: 0, to: pixels.count, by: width * 4) {
            rows += [0] + pixels[start..<start + width * 4]
        }
        let length = [UInt8(rows.count & 255), UInt8(rows.count >> 8)]
        let stored = [0x78, 0x01, 1] + length + length.map { ~$0 } + rows + Self.number(Self.adler(rows))
        bytes =
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Self.chunk("IHDR", header) + Self.chunk("IDAT", stored)
            + Self.chunk("IEND", [])
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        return number(data.count) + body + number(Int(crc(body)))
    }

    private static func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 255) } }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 {
                let isOdd = sum & 1 == 1
                sum >>= 1
                if isOdd { sum ^= 0xEDB8_8320 }
            }
        }
        return ~sum
    }

    private static func adler(_ bytes: [UInt8]) -> Int {
        var (one, two) = (1, 0)
        for byte in bytes {
            one = (one + Int(byte)) % 65521
            two = (two + one) % 65521
        }
        return two << 16 | one
    }
}
