/// An image as a sequence of sixels, six pixels one above the other, as defined for the VT340 (DEC STD 070).
public struct Sixel: Hashable, Sendable {
    /// The sequence. It draws the image at the cursor, and leaves the cursor below it.
    public let sequence: String

    /// Scales an image to an area.
    public init(_ image: Bitmap, in area: CellArea) {
        let (width, height) = (area.columns * CellArea.cellWidth, area.rows * CellArea.cellHeight)
        let image = image.scaled(width: width, height: height)
        // Pixels without a color keep the background (P2 = 1); the aspect ratio is 1:1.
        var text = "\u{1B}P0;1;0q\"1;1;\(width);\(height)"
        var defined: Set<Int> = []
        for top in stride(from: 0, to: height, by: 6) {
            for (color, bits) in Self.band(of: image, from: top).sorted(by: { $0.key < $1.key }) {
                text += defined.insert(color).inserted ? Self.definition(of: color) : "#\(color)"
                text += Self.runs(bits) + "$"
            }
            text += "-"
        }
        sequence = text + "\u{1B}\\"
    }

    /// Returns the bits of each color in a band of six lines.
    private static func band(of image: Bitmap, from top: Int) -> [Int: [UInt8]] {
        var bands: [Int: [UInt8]] = [:]
        for y in top..<min(top + 6, image.height) {
            for x in 0..<image.width {
                guard let color = image.color(x: x, y: y)?.indexOf256 else { continue }
                bands[color, default: Array(repeating: 0, count: image.width)][x] |= 1 << UInt8(y - top)
            }
        }
        return bands
    }

    /// Returns the definition of one of the 256 colors in percent.
    private static func definition(of index: Int) -> String {
        let levels = [0, 95, 135, 175, 215, 255]
        let parts =
            index >= 232
            ? Array(repeating: 8 + 10 * (index - 232), count: 3)
            : [(index - 16) / 36, (index - 16) / 6 % 6, (index - 16) % 6].map { levels[$0] }
        return "#\(index);2;" + parts.map { "\(($0 * 100 + 127) / 255)" }.joined(separator: ";")
    }

    /// Returns the sixels, where more than three equal ones are written as a count.
    private static func runs(_ bits: [UInt8]) -> String {
        var text = ""
        var rest = bits[...]
        while let first = rest.first {
            let count = rest.prefix { $0 == first }.count
            let character = String(UnicodeScalar(63 + first))
            text += count > 3 ? "!\(count)\(character)" : String(repeating: character, count: count)
            rest = rest.dropFirst(count)
        }
        return text
    }
}
