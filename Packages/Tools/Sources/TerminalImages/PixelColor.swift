/// The color of a pixel.
public struct PixelColor: Hashable, Sendable {
    /// The red part.
    public let red: UInt8
    /// The green part.
    public let green: UInt8
    /// The blue part.
    public let blue: UInt8

    /// Creates a color.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

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
