import PluginCore
import TerminalImages
import TerminalScreen

/// An image as cells, each of which shows two pixels.
package struct ImageCells: Equatable, Sendable {
    /// The largest area of an image among the lines of a page.
    private static let largest = CellArea(columns: 48, rows: 12)
    /// The area of an icon, which is a square.
    static let icon = CellArea(columns: 4, rows: 2)

    /// The rows, as runs of cells in one style.
    let rows: [[PageLines.Part]]

    /// Creates the cells of a bundle's icon.
    ///
    /// - Returns: nil for a file that cannot be decoded, or is too large.
    package init?(icon png: [UInt8]) {
        guard png.count <= PageImage.largestFile, let bitmap = try? Bitmap(png: png) else { return nil }
        self.init(bitmap, in: Self.icon)
    }

    /// Creates the cells of an image.
    ///
    /// - Parameter columns: the number of columns that are there for it.
    /// - Returns: nil for an image that cannot be decoded.
    init?(_ image: PageImage, columns: Int) {
        guard !image.png.isEmpty, columns > 0, let bitmap = try? Bitmap(png: image.png) else { return nil }
        let area = CellArea(columns: min(columns, Self.largest.columns), rows: Self.largest.rows)
        self.init(bitmap, in: area.fitting(bitmap, scale: image.scale))
    }

    private init(_ bitmap: Bitmap, in area: CellArea) {
        rows = HalfBlocks(bitmap, in: area).rows.map { row in
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
