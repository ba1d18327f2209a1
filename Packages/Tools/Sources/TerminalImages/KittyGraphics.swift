/// An image in kitty's graphics protocol (sw.kovidgoyal.net/kitty/graphics-protocol).
///
/// The pixels are sent, not the file: the terminal gets only what this process has decoded.
public struct KittyGraphics: Hashable, Sendable {
    /// The largest part of the data in one sequence.
    private static let chunk = 4096

    /// The sequences. They draw the image at the cursor, and leave the cursor at the end of its last row.
    public let sequence: String

    /// Scales an image to an area.
    public init(_ image: Bitmap, in area: CellArea) {
        let (width, height) = (area.columns * CellArea.cellWidth, area.rows * CellArea.cellHeight)
        // A terminal enlarges an image better than this program.
        let image = image.scaled(width: min(width, image.width), height: min(height, image.height))
        // Transmit and display (a=T) RGBA pixels (f=32) in that many cells, without an answer (q=2).
        let control = "a=T,f=32,s=\(image.width),v=\(image.height),c=\(area.columns),r=\(area.rows),q=2"
        var text = ""
        var rest = Self.base64(image.bytes)[...]
        repeat {
            let isFirst = text.isEmpty
            let part = rest.prefix(Self.chunk)
            rest = rest.dropFirst(Self.chunk)
            let keys = (isFirst ? [control] : []) + ["m=\(rest.isEmpty ? 0 : 1)"]
            text += "\u{1B}_G\(keys.joined(separator: ","));" + String(decoding: part, as: UTF8.self) + "\u{1B}\\"
        } while !rest.isEmpty
        sequence = text
    }

    /// Returns bytes in Base64 (RFC 4648).
    private static func base64(_ bytes: [UInt8]) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let padded = part + Array(repeating: 0, count: 3 - part.count)
            let bits = padded.reduce(0) { $0 << 8 | Int($1) }
            for index in 0..<4 {
                text.append(index > part.count ? UInt8(ascii: "=") : alphabet[bits >> (18 - 6 * index) & 63])
            }
        }
        return text
    }
}
