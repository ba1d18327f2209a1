/// Rows of text in columns that align by display width, on a terminal and off it.
///
/// Cells are data: they pass ``printable(_:keepingLines:)``, so no cell can break out of its row.
///
/// ```swift
/// var table = Table([.init("NAME"), .init("SIZE", .trailing)])
/// table.add(["购物车", "12"])
/// table.add(["cart", "3400"])
/// table.rendered()
/// // NAME    SIZE
/// // 购物车    12
/// // cart    3400
/// ```
public struct Table: Sendable {
    /// A column's heading and how its cells stand and look.
    public struct Column: Sendable {
        /// The heading; when all are empty there is no heading line.
        public let title: String
        /// The edge that heading and cells keep to.
        public let alignment: TextAlignment
        /// The style of its cells, on a terminal that allows it.
        public let style: TextStyle

        /// Declares a column.
        public init(_ title: String = "", _ alignment: TextAlignment = .leading, style: TextStyle = []) {
            self.title = title
            self.alignment = alignment
            self.style = style
        }
    }

    private struct Row {
        let cells: [String]
        let style: TextStyle
    }

    private let columns: [Column]
    private var rows: [Row] = []

    /// A table without rows.
    public init(_ columns: [Column]) { self.columns = columns }

    /// Whether no row was added, which callers often say in words instead.
    public var isEmpty: Bool { rows.isEmpty }

    /// Adds a row; missing cells stay empty, cells beyond the declared columns stand in columns without a heading.
    /// - Parameter style: added to each column's own.
    public mutating func add(_ cells: [String], style: TextStyle = []) {
        rows.append(Row(cells: cells.map { printable($0) }, style: style))
    }

    /// The lines of the table, each ended by a line feed and without trailing spaces; plain without a terminal.
    ///
    /// Lines are never cut to the terminal's width: what one wants to copy is all there.
    public func rendered(for terminal: Terminal = .plain) -> String {
        let count = max(columns.count, rows.map(\.cells.count).max() ?? 0)
        let columns = self.columns + Array(repeating: Column(), count: count - self.columns.count)
        let titles = columns.map { printable($0.title) }
        var widths = titles.map { displayWidth(of: $0) }
        for row in rows {
            for (index, cell) in row.cells.enumerated() { widths[index] = max(widths[index], displayWidth(of: cell)) }
        }

        func line(_ cells: [String], style: (Column) -> TextStyle) -> String {
            let last = cells.lastIndex { !$0.isEmpty } ?? -1
            let parts = cells.prefix(last + 1).enumerated().map { index, cell in
                // Spaces stay outside the style: an underlined column must not underline its gaps.
                let styled = terminal.allowsStyle ? style(columns[index]).applied(to: cell) : cell
                let gap = String(repeating: " ", count: widths[index] - displayWidth(of: cell))
                if columns[index].alignment == .trailing { return gap + styled }
                return index == last ? styled : styled + gap
            }
            return parts.joined(separator: "  ") + "\n"
        }

        let heading = titles.allSatisfy(\.isEmpty) ? "" : line(titles) { _ in .bold }
        return rows.reduce(into: heading) { text, row in
            text += line(row.cells) { $0.style.union(row.style) }
        }
    }
}
