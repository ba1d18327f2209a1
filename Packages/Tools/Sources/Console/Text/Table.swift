/// A table of text whose columns are aligned by display width.
///
/// Cells are data: they pass ``printable(_:keepingLines:)``, so a cell cannot break out of its row.
///
/// ```swift
/// var table = Table(["NAME", .init("SIZE", .trailing)])
/// table.add(["购物车", "12"])
/// table.add(["cart", "3400"])
/// table.rendered()
/// // NAME    SIZE
/// // 购物车    12
/// // cart    3400
/// ```
public struct Table: Sendable {
    /// The heading, alignment and style of a column.
    public struct Column: Sendable, ExpressibleByStringLiteral {
        /// The heading; if all are empty, there is no heading line.
        public let title: String
        /// The alignment of the heading and the cells.
        public let alignment: TextAlignment
        /// The style of the cells on a terminal that allows styles.
        public let style: TextStyle

        /// Declares a column.
        public init(_ title: String = "", _ alignment: TextAlignment = .leading, style: TextStyle = []) {
            self.title = title
            self.alignment = alignment
            self.style = style
        }

        /// Declares a column of text.
        public init(stringLiteral title: String) { self.init(title) }
    }

    /// The content of a cell; a hyphen stands for `nil`.
    public typealias Cell = (any CustomStringConvertible)?

    private struct Row {
        let cells: [String]
        let style: TextStyle
    }

    private let columns: [Column]
    private var rows: [Row] = []

    /// Creates a table.
    public init(_ columns: [Column], rows: [[Cell]] = []) {
        self.columns = columns
        for row in rows { add(row) }
    }

    /// Creates a table of facts with their names, without those that have no value.
    public init(facts: [(String, String?)]) {
        self.init([Column(style: .dim), Column()], rows: facts.compactMap { name, value in value.map { [name, $0] } })
    }

    /// A Boolean value that indicates whether the table has no rows, which callers often report in words instead.
    public var isEmpty: Bool { rows.isEmpty }

    /// Adds a row; missing cells are empty, and additional cells form columns without a heading.
    ///
    /// - Parameter style: added to the style of each column.
    public mutating func add(_ cells: [Cell], style: TextStyle = []) {
        rows.append(Row(cells: cells.map { printable($0?.description ?? "-") }, style: style))
    }

    /// Returns the lines of the table, each with a line feed and without trailing spaces.
    ///
    /// On a terminal that is too narrow, the last column is wrapped, or the cells of a row are placed below each other. Text is
    /// never truncated, so that all of it can be copied.
    public func rendered(for terminal: Terminal = .plain) -> String {
        let count = max(columns.count, rows.map(\.cells.count).max() ?? 0)
        let columns = self.columns + Array(repeating: Column(), count: count - self.columns.count)
        let titles = columns.map { printable(localized(key: $0.title)) }
        var widths = titles.map { displayWidth(of: $0) }
        for row in rows {
            for (index, cell) in row.cells.enumerated() { widths[index] = max(widths[index], displayWidth(of: cell)) }
        }
        let grid = Grid(columns: columns, widths: widths, terminal: terminal)
        guard grid.fits else { return stacked(columns, titles, terminal) }
        let heading = titles.allSatisfy(\.isEmpty) ? "" : grid.line(titles) { _ in .bold }
        return rows.reduce(into: heading) { text, row in
            text += grid.line(row.cells) { $0.style.union(row.style) }
        }
    }

    /// Returns each row as a block with a line for each nonempty cell.
    private func stacked(_ columns: [Column], _ titles: [String], _ terminal: Terminal) -> String {
        let label = titles.map { displayWidth(of: $0) }.max() ?? 0
        let hasTitles = label > 0
        let blocks = rows.map { row in
            row.cells.enumerated().filter { !$0.element.isEmpty }.map { index, cell in
                var line = WrappedText()
                if hasTitles {
                    line.append(titles[index]) { terminal.styled($0, .bold) }
                    line.append(spaces(label + 2 - displayWidth(of: titles[index])))
                } else if index > 0 {
                    line.append("    ")
                }
                let style = columns[index].style.union(row.style)
                line.append(cell) { terminal.styled($0, style) }
                return line.text(width: terminal.wrappingWidth, hanging: hasTitles ? label + 2 : 4)
            }.joined()
        }
        return blocks.joined(separator: hasTitles ? "\n" : "")
    }
}

/// The layout of a table whose columns are side by side.
private struct Grid {
    /// The minimum width of a wrapped last column.
    private static let narrowest = 20

    let columns: [Table.Column]
    let widths: [Int]
    let terminal: Terminal

    /// The width of all columns before the last, including gaps.
    private var indent: Int { widths.dropLast().reduce(0) { $0 + $1 + 2 } }

    /// The width that remains for the last column; `nil` if it fits without wrapping.
    private var rest: Int? {
        guard let width = terminal.wrappingWidth, let last = widths.last, indent + last > width else { return nil }
        return width - indent
    }

    /// A Boolean value that indicates whether the columns fit side by side, with the last one wrapped if necessary.
    var fits: Bool {
        guard let rest, let last = widths.last else { return true }
        return columns.last?.alignment == .leading && rest >= min(last, Self.narrowest)
    }

    func line(_ cells: [String], style: (Table.Column) -> TextStyle) -> String {
        let last = cells.lastIndex { !$0.isEmpty } ?? -1
        let parts = cells.prefix(last + 1).enumerated().map { index, cell in
            // Gaps between columns are not styled, because they would be underlined.
            let style = style(columns[index])
            let margin = "\n" + spaces(indent)
            let lines = WrappedText(cell) { terminal.allowsStyle ? style.applied(to: $0) : $0 }
                .lines(width: index == columns.count - 1 ? rest : nil)
            let styled = lines.joined(separator: margin)
            let gap = spaces(widths[index] - displayWidth(of: cell))
            if columns[index].alignment == .trailing { return gap + styled }
            return index == last ? styled : styled + gap
        }
        return parts.joined(separator: "  ") + "\n"
    }
}
