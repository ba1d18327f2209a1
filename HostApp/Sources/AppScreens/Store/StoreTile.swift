import Console
import TerminalScreen

/// A tile of the store with icon, name, version, state and progress.
struct StoreTile {
    /// The rows of a tile, including its frame.
    static let rows = 5
    /// The rows of an icon.
    static let iconRows = 2
    /// The columns of an icon and the gap after it.
    static let iconColumns = 5

    let item: StoreItem
    let isSelected: Bool
    /// The bundle's icon; `nil` for letters.
    let icon: ImageCells?

    func draw(on canvas: inout Canvas, in area: Rectangle, _ styles: ScreenStyles) {
        canvas.frame(area, isHeavy: isSelected, style: isSelected ? styles.action : styles.muted)
        let inside = area.inset(columns: 2, rows: 1)
        drawIcon(on: &canvas, column: inside.column, row: inside.row, styles)
        let column = inside.column + Self.iconColumns
        let width = inside.endColumn - column
        let name = isSelected ? styles.title.adding(.underline) : styles.title
        canvas.write(item.name, column: column, row: inside.row, width: width, style: name)
        let end = canvas.write(item.version, column: column, row: inside.row + 1, width: width, style: styles.text)
        if end + 2 < inside.endColumn {
            canvas.write(
                "· \(item.stateText)", column: end + 1, row: inside.row + 1, width: inside.endColumn - end - 1,
                style: stateStyle(styles))
        }
        drawLastRow(on: &canvas, inside, styles)
    }

    /// Draws the icon, or letters in place of one.
    func drawIcon(on canvas: inout Canvas, column: Int, row: Int, _ styles: ScreenStyles) {
        if let icon {
            for (index, parts) in icon.rows.enumerated() {
                for part in parts {
                    canvas.write(part.text, column: column + part.column, row: row + index, style: part.style)
                }
            }
            return
        }
        let hash = item.identifier.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF }
        let style = styles.icons[hash % max(1, styles.icons.count)]
        canvas.fill(Rectangle(column: column, row: row, columns: 4, rows: 2), style: style)
        let letters = item.initials
        let start = column + max(0, (4 - displayWidth(of: letters)) / 2)
        canvas.write(letters, column: start, row: row, width: column + 4 - start, style: style)
    }

    private func stateStyle(_ styles: ScreenStyles) -> CellStyle {
        switch item.state {
        case .installed, .staged: styles.notice
        case .updatable, .waiting, .downloading, .installing: styles.action
        case .blocked, .failed: styles.error
        case .available: styles.muted
        }
    }

    private func drawLastRow(on canvas: inout Canvas, _ inside: Rectangle, _ styles: ScreenStyles) {
        let row = inside.row + 2
        switch item.state {
        case .downloading(let done, let total) where total > 0:
            let filled = Int(UInt64(inside.columns) * min(done, total) / total)
            let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: inside.columns - filled)
            canvas.write(bar, column: inside.column, row: row, width: inside.columns, style: styles.action)
        case .failed(let reason), .blocked(let reason):
            canvas.write(reason, column: inside.column, row: row, width: inside.columns, style: styles.muted)
        default:
            canvas.write(item.summary, column: inside.column, row: row, width: inside.columns, style: styles.muted)
        }
    }
}
