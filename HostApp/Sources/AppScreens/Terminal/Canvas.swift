import Console

/// A screen as a grid of cells, which is drawn in memory, with the places that the user can point at.
///
/// ```swift
/// var canvas = Canvas(columns: 80, rows: 24)
/// canvas.write("Shop", column: 1, row: 0, CellStyle(.bold))
/// screen.show(canvas)
/// ```
package struct Canvas {
    /// One cell.
    struct Cell: Equatable {
        /// A character with its combining marks; empty in the second cell of a wide character.
        var text: String
        var style: CellStyle

        static let blank = Cell(text: " ", style: .plain)
    }

    let columns: Int
    let rows: Int
    private var cells: [Cell]
    /// The places that react to the mouse; later ones lie over earlier ones.
    var targets: [(area: Rectangle, target: ScreenTarget)] = []
    /// The place of the cursor where text is entered; `nil` to hide it.
    var cursor: (column: Int, row: Int)?

    /// Creates an empty canvas.
    init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (max(1, columns), max(1, rows))
        cells = Array(repeating: .blank, count: self.columns * self.rows)
    }

    /// The whole canvas.
    var bounds: Rectangle { Rectangle(columns: columns, rows: rows) }

    subscript(column: Int, row: Int) -> Cell { cells[row * columns + column] }

    /// The target at a place.
    func target(column: Int, row: Int) -> ScreenTarget? {
        targets.last { $0.area.contains(column: column, row: row) }?.target
    }

    /// The rows as text without trailing spaces.
    package var lines: [String] {
        (0..<rows).map { row in
            let line = cells[row * columns..<(row + 1) * columns].map(\.text).joined()
            let end = line.lastIndex { $0 != " " }
            return end.map { String(line[...$0]) } ?? ""
        }
    }

    /// Writes text from a column on, cut at a width by whole characters; an ellipsis takes the place of the rest.
    ///
    /// Control characters are escaped, whoever the text is from.
    ///
    /// - Parameter width: the number of columns that the text may take; by default all to the right edge.
    /// - Returns: the column after the text.
    @discardableResult
    mutating func write(
        _ text: String, column: Int, row: Int, width: Int? = nil, _ style: CellStyle = .plain
    ) -> Int {
        let end = min(columns, column + max(0, width ?? columns))
        guard (0..<rows).contains(row), column < end else { return column }
        let text = printable(text)
        let isCut = displayWidth(of: text) > end - column
        let limit = isCut ? end - 1 : end
        var column = column
        for character in text {
            for part in character.cells {
                guard column + part.width <= limit else {
                    if isCut { put("…", width: 1, column: column, row: row, style) }
                    return column + (isCut ? 1 : 0)
                }
                put(part.text, width: part.width, column: column, row: row, style)
                column += part.width
            }
        }
        return column
    }

    /// Writes text into the first row of a rectangle, as ``write(_:column:row:width:_:)`` does.
    @discardableResult
    mutating func write(_ text: String, in area: Rectangle, _ style: CellStyle = .plain) -> Int {
        write(text, column: area.column, row: area.row, width: area.columns, style)
    }

    private mutating func put(_ text: String, width: Int, column: Int, row: Int, _ style: CellStyle) {
        guard column >= 0, column + width <= columns else { return }
        let index = row * columns + column
        // Half of a wide character cannot be shown.
        if cells[index].text.isEmpty, column > 0 { cells[index - 1].text = " " }
        let next = index + width
        if column + width < columns, cells[next].text.isEmpty { cells[next].text = " " }
        cells[index] = Cell(text: text, style: style)
        if width == 2 { cells[index + 1] = Cell(text: "", style: style) }
    }

    /// Fills a rectangle with spaces.
    mutating func fill(_ area: Rectangle, _ style: CellStyle = .plain) {
        let (columns, rows) = visible(area)
        let blanks = String(repeating: " ", count: columns.count)
        for row in rows { write(blanks, column: columns.lowerBound, row: row, style) }
    }

    /// Returns the part of a rectangle that is on the canvas.
    private func visible(_ area: Rectangle) -> (columns: Range<Int>, rows: Range<Int>) {
        ((area.column..<area.endColumn).clamped(to: 0..<columns), (area.row..<area.endRow).clamped(to: 0..<rows))
    }

    /// Gives all cells of a rectangle a style, and keeps their text.
    mutating func restyle(_ area: Rectangle, _ style: CellStyle) {
        let place = visible(area)
        for row in place.rows {
            for column in place.columns { cells[row * columns + column].style = style }
        }
    }

    /// Draws a frame along the edges of a rectangle.
    ///
    /// - Parameter isHeavy: `true` for thick lines, which show the selection where there are no colors.
    mutating func frame(_ area: Rectangle, isHeavy: Bool = false, _ style: CellStyle = .plain) {
        guard area.columns >= 2, area.rows >= 2 else { return }
        let line = isHeavy ? ["┏", "━", "┓", "┃", "┗", "┛"] : ["┌", "─", "┐", "│", "└", "┘"]
        let middle = String(repeating: line[1], count: area.columns - 2)
        write(line[0] + middle + line[2], column: area.column, row: area.row, style)
        for row in area.row + 1..<area.endRow - 1 {
            write(line[3], column: area.column, row: row, style)
            write(line[3], column: area.endColumn - 1, row: row, style)
        }
        write(line[4] + middle + line[5], column: area.column, row: area.endRow - 1, style)
    }
}

extension Character {
    /// The cells of the character as a terminal draws it.
    ///
    /// A mark that stands alone is drawn on a dotted circle. Of an emoji that consists of several, the first is drawn, because terminals do
    /// not agree on the width of the whole.
    var cells: [(text: String, width: Int)] {
        if isASCII { return [(String(self), 1)] }
        let width = displayWidth(of: String(self))
        if width == 0 { return [("\u{25CC}" + String(self), 1)] }
        var parts: [(text: String, width: Int)] = []
        for scalar in unicodeScalars {
            let own = displayWidth(of: String(Character(scalar)))
            if own > 0 {
                parts.append((String(Character(scalar)), own))
            } else if !parts.isEmpty {
                parts[parts.count - 1].text.unicodeScalars.append(scalar)
            }
        }
        let isWhole = parts.reduce(0) { $0 + $1.width } == width
        guard !isWhole, let first = unicodeScalars.first else { return parts }
        let form = unicodeScalars.contains("\u{FE0F}") ? "\u{FE0F}" : ""
        return [(String(Character(first)) + form, max(1, width))]
    }
}

/// The look of a cell.
package struct CellStyle: Equatable {
    /// The attributes that terminals without colors have as well.
    struct Attributes: OptionSet {
        let rawValue: UInt8

        static let bold = Attributes(rawValue: 1)
        static let dim = Attributes(rawValue: 2)
        static let underline = Attributes(rawValue: 4)
        static let reverse = Attributes(rawValue: 8)
    }

    var attributes: Attributes
    /// The number of a color of xterm's 256; `nil` for the terminal's own.
    package var foreground: UInt8?
    /// The number of a color of xterm's 256; `nil` for the terminal's own.
    var background: UInt8?

    init(_ attributes: Attributes = [], foreground: UInt8? = nil, background: UInt8? = nil) {
        (self.attributes, self.foreground, self.background) = (attributes, foreground, background)
    }

    /// The terminal's own look.
    static let plain = CellStyle()

    /// Returns the style with more attributes.
    func adding(_ more: Attributes) -> CellStyle {
        var style = self
        style.attributes.formUnion(more)
        return style
    }
}

/// A rectangle of cells on a screen.
struct Rectangle {
    /// The column of the left edge.
    var column: Int
    /// The row of the upper edge.
    var row: Int
    var columns: Int
    var rows: Int

    init(column: Int = 0, row: Int = 0, columns: Int, rows: Int = 1) {
        (self.column, self.row) = (column, row)
        (self.columns, self.rows) = (max(0, columns), max(0, rows))
    }

    /// The row below the lower edge.
    var endRow: Int { row + rows }
    /// The column after the right edge.
    var endColumn: Int { column + columns }

    /// Returns the rectangle without some columns and rows on each side.
    func inset(columns: Int, rows: Int = 0) -> Rectangle {
        Rectangle(
            column: column + columns, row: row + rows, columns: self.columns - 2 * columns, rows: self.rows - 2 * rows)
    }

    /// Returns one row of the rectangle, by its number, from a column on.
    func line(_ row: Int, from column: Int = 0) -> Rectangle {
        Rectangle(column: self.column + column, row: self.row + row, columns: columns - column)
    }

    /// Returns a rectangle of the given size in the middle of this one, and no larger than it.
    func centered(columns: Int, rows: Int) -> Rectangle {
        let (columns, rows) = (min(columns, self.columns), min(rows, self.rows))
        return Rectangle(
            column: column + (self.columns - columns) / 2, row: row + (self.rows - rows) / 2, columns: columns,
            rows: rows)
    }

    func contains(column: Int, row: Int) -> Bool {
        (self.column..<endColumn).contains(column) && (self.row..<endRow).contains(row)
    }
}
