/// A rectangle of cells on a screen.
package struct Rectangle: Equatable, Sendable {
    /// The column of the left edge.
    package var column: Int
    /// The row of the upper edge.
    package var row: Int
    package var columns: Int
    package var rows: Int

    package init(column: Int = 0, row: Int = 0, columns: Int, rows: Int) {
        (self.column, self.row) = (column, row)
        (self.columns, self.rows) = (max(0, columns), max(0, rows))
    }

    /// The row below the lower edge.
    package var endRow: Int { row + rows }
    /// The column after the right edge.
    package var endColumn: Int { column + columns }

    /// Returns the rectangle without some columns and rows on each side.
    package func inset(columns: Int, rows: Int = 0) -> Rectangle {
        Rectangle(
            column: column + columns, row: row + rows, columns: self.columns - 2 * columns, rows: self.rows - 2 * rows)
    }

    /// Returns a rectangle of the given size in the middle of this one, and no larger than it.
    package func centered(columns: Int, rows: Int) -> Rectangle {
        let (columns, rows) = (min(columns, self.columns), min(rows, self.rows))
        return Rectangle(
            column: column + (self.columns - columns) / 2, row: row + (self.rows - rows) / 2, columns: columns,
            rows: rows)
    }

    package func contains(column: Int, row: Int) -> Bool {
        (self.column..<endColumn).contains(column) && (self.row..<endRow).contains(row)
    }
}
