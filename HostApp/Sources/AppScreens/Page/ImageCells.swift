import PluginCore
import TerminalImages
import TerminalScreen

/// An image as cells, each of which shows two pixels.
struct ImageCells {
    /// The largest area of an image among the lines of a page.
    private static let largest = CellArea(columns: 48, rows: 12)

    /// The rows, as runs of cells in one style.
    let rows: [[PageLines.Part]]

    /// Creates the cells of an image.
    ///
    /// - Parameter columns: the number of columns that are there for it.
    /// - Returns: nil for an image that cannot be decoded.
    init?(_ image: PageImage, columns: Int) {
        guard !image.png.isEmpty, columns > 0, let bitmap = try? Bitmap(png: image.png) else { return nil }
        let area = CellArea(columns: min(columns, Self.largest.columns), rows: Self.largest.rows)
        rows = HalfBlocks(bitmap, in: area.fitting(bitmap, scale: image.scale)).rows.map { row in
            row.enumerated().reduce(into: []) { parts, cell in
                let style = CellStyle(
                    foreground: cell.element.foreground.map { UInt8(clamping: $0.indexOf256) },
                    background: cell.element.background.map { UInt8(clamping: $0.indexOf256) })
                if let last = parts.last, last.style == style {
                    parts[parts.count - 1].text.append(cell.element.character)
                } else {
                    let part = PageLines.Part(column: cell.offset, text: String(cell.element.character), style: style)
                    parts.append(part)
                }
            }
        }
    }
}
