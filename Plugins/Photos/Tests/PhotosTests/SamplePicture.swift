import FoundationEssentials
import PluginCore
import PluginTestKit

/// Pictures for tests: the sample of the plugin, and PNG files that declare any size.
enum SamplePicture {
    /// The plugin's sample, a picture of 64 × 48 pixels.
    static func lighthouse() throws -> [UInt8] {
        try [UInt8](
            Data(contentsOf: URL(filePath: PluginFolder().resources.appending("Pictures/lighthouse.png").string)))
    }

    /// Returns a PNG that declares a size, with a few bytes of pixels.
    static func declaring(width: UInt32, height: UInt32) -> [UInt8] {
        let size = bigEndian(width) + bigEndian(height)
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", size + [8, 2, 0, 0, 0])
            + chunk("IDAT", [0x78, 0x9C, 0x63, 0, 0, 0, 1, 0, 1]) + chunk("IEND", [])
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        return bigEndian(UInt32(content.count)) + body + bigEndian(checksum(body))
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// Returns the CRC-32 of a chunk.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
    }
}
