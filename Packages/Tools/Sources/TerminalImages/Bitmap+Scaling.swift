extension Bitmap {
    /// Returns the image in another size. Each pixel is the average of those that it covers.
    ///
    /// A size below 1 counts as 1.
    public func scaled(width newWidth: Int, height newHeight: Int) -> Bitmap {
        let (newWidth, newHeight) = (max(1, newWidth), max(1, newHeight))
        if newWidth == width, newHeight == height { return self }
        let columns = (0..<newWidth).map { Self.range(of: $0, in: newWidth, from: width) }
        var result: [UInt8] = []
        result.reserveCapacity(newWidth * newHeight * 4)
        for y in 0..<newHeight {
            let rows = Self.range(of: y, in: newHeight, from: height)
            for column in columns { appendAverage(column, rows, to: &result) }
        }
        return Bitmap(width: newWidth, height: newHeight, bytes: result)
    }

    /// Returns the positions in the image that a position in the scaled image covers, at least one.
    private static func range(of position: Int, in size: Int, from old: Int) -> Range<Int> {
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
