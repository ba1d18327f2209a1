/// An image as a terminal shows it.
///
/// ```swift
/// let area = CellArea(columns: 40, rows: 12)
/// if let lines = TerminalImage.lines(of: png, scale: 2, in: area, support) { print(lines.joined(separator: "\n")) }
/// ```
public enum TerminalImage {
    /// Returns the lines to print for a PNG file, or nil if it cannot be drawn and its text is to be shown.
    ///
    /// - Parameters:
    ///   - png: The content of the file.
    ///   - scale: The number of its pixels per point.
    ///   - area: The largest number of cells.
    ///   - support: What the terminal can draw.
    public static func lines(of png: [UInt8], scale: Int, in area: CellArea, _ support: ImageSupport) -> [String]? {
        guard support != .none, let image = try? Bitmap(png: png) else { return nil }
        let area = area.fitting(image, scale: scale)
        switch support {
        case .none: return nil
        case .halfBlocks(let colors): return HalfBlocks(image, in: area).lines(in: colors)
        case .sixel: return [Sixel(image, in: area).sequence]
        case .kitty: return [KittyGraphics(image, in: area).sequence]
        }
    }
}
