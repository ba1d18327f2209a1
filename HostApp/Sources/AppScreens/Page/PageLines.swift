import Console
package import PluginCore
package import TerminalImages

/// A part of a page that the user can choose.
struct PageItem {
    /// The action that is performed.
    let action: PageAction.Description
    /// The input that the part itself has for the action.
    let input: [String: String]
}

/// The lines of a page at a width, with the items that can be chosen.
struct PageLines {
    /// A part of a line in one style.
    struct Part {
        var column: Int
        var text: String
        var style: CellStyle
    }

    struct Line {
        var parts: [Part] = []
        /// The item that the line belongs to.
        var item: Int?
    }

    private(set) var lines: [Line] = []
    /// The items that can be chosen, from top to bottom.
    private(set) var items: [PageItem] = []
    private let actions: [PageAction.Description]
    /// The column in which elements begin, which is further to the right in a section.
    private var margin = 0
    private let width: Int
    private let styles: ScreenStyles

    init(_ page: PageScreen, width: Int, _ styles: ScreenStyles) {
        self.width = max(1, width)
        self.styles = styles
        actions = page.actions
        for element in page.content { add(element) }
        if !page.actions.isEmpty, !lines.isEmpty { lines.append(Line()) }
        for action in page.actions { add(action) }
    }

    /// The lines of an item.
    func lines(of item: Int) -> Range<Int>? {
        guard let first = lines.firstIndex(where: { $0.item == item }) else { return nil }
        return first..<(lines[first...].firstIndex { $0.item != item } ?? lines.endIndex)
    }

    /// Adds a text that is wrapped, with a mark in front of its first line.
    private mutating func add(
        _ text: String, _ style: CellStyle, column: Int = 0, item: Int? = nil, after mark: Part? = nil
    ) {
        let first = lines.count
        for line in WrappedText(text).lines(width: max(1, width - margin - column)) {
            lines.append(Line(parts: [Part(column: margin + column, text: line, style: style)], item: item))
        }
        if let mark { lines[first].parts.insert(mark, at: 0) }
    }

    private mutating func add(_ element: PageElement) {
        switch element {
        case .heading(let text):
            if !lines.isEmpty { lines.append(Line()) }
            add(text, styles.title)
        case .text(let text): add(text, styles.text)
        case .field(let label, let value):
            let column = displayWidth(of: printable(label)) + 2
            guard column <= width / 2 else {
                add("\(label):", styles.muted)
                return add(value, styles.text, column: 2)
            }
            let mark = Part(column: margin, text: "\(label):", style: styles.muted)
            add(value.isEmpty ? " " : value, styles.text, column: column, after: mark)
        case .list(let rows): add(rows)
        case .divider: add(String(repeating: "─", count: max(0, width - margin)), styles.muted)
        case .image(let image): add(image)
        case .progress(let label, let fraction): add(label, fraction)
        case .section(let title, let elements):
            if !lines.isEmpty { lines.append(Line()) }
            if !title.isEmpty { add(title, styles.title) }
            margin += 2
            for element in elements { add(element) }
            margin -= 2
        case .unknown: break
        @unknown default: break
        }
    }

    private mutating func add(_ image: PageImage) {
        guard styles.showsImages, let picture = HalfBlocks(image, columns: width - margin) else {
            if !image.text.isEmpty { add("[\(image.text)]", styles.muted) }
            return
        }
        for row in ImageCells(picture).rows {
            lines.append(Line(parts: row.map { Part(column: margin + $0.column, text: $0.text, style: $0.style) }))
        }
    }

    private mutating func add(_ label: String, _ fraction: Double?) {
        if !label.isEmpty { add(label, styles.text) }
        let columns = max(1, min(40, width - margin - 6))
        guard let fraction = fraction?.asFraction else { return add("…", styles.action) }
        let filled = Int((fraction * Double(columns)).rounded())
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: columns - filled)
        add("\(bar) \(Int((fraction * 100).rounded())) %", styles.action)
    }

    /// Returns the number of the item that a row is; nil for a row that only shows something.
    private mutating func item(of row: PageRow) -> Int? {
        guard let identifier = row.action else { return nil }
        let action = actions.first { $0.identifier == identifier }
        items.append(PageItem(action: action ?? PageAction.Description(identifier, title: row.title), input: row.input))
        return items.count - 1
    }

    private mutating func add(_ rows: [PageRow]) {
        let indent = displayWidth(of: styles.bullet) + 1
        let width = width - margin
        let widths = rows.map { indent + displayWidth(of: printable($0.title)) }
        let column = (widths.filter { $0 <= width / 2 }.max() ?? 0) + 2
        for (row, title) in zip(rows, widths) {
            let (first, item) = (lines.count, item(of: row))
            let mark = Part(column: margin, text: item.flatMap(Self.key) ?? styles.bullet, style: styles.muted)
            add(row.title, item == nil ? styles.text : styles.action, column: indent, item: item, after: mark)
            guard !row.detail.isEmpty else { continue }
            if lines.count == first + 1, title + 2 <= column {
                let details = WrappedText(row.detail).lines(width: max(1, width - column))
                for (index, line) in details.enumerated() {
                    if index > 0 { lines.append(Line(item: item)) }
                    lines[first + index].parts.append(Part(column: margin + column, text: line, style: styles.muted))
                }
            } else {
                add(row.detail, styles.muted, column: min(indent + 2, max(0, width - 1)), item: item)
            }
        }
    }

    /// Returns the key that chooses an item; nil if no key does.
    private static func key(of item: Int) -> String? { item < 9 ? "\(item + 1)" : nil }

    private mutating func add(_ action: PageAction.Description) {
        let item = items.count
        items.append(PageItem(action: action, input: [:]))
        let key = Part(column: 2, text: Self.key(of: item) ?? " ", style: styles.muted)
        add(action.title + (action.fields.isEmpty ? "" : " …"), styles.action, column: 4, item: item, after: key)
    }
}

extension HalfBlocks {
    /// Creates the cells of an image among the lines of a page.
    ///
    /// - Parameter columns: the number of columns that are there for it; an image takes at most 48, and 12 rows.
    /// - Returns: nil for an image that cannot be decoded.
    package init?(_ image: PageImage, columns: Int) {
        guard !image.png.isEmpty, columns > 0, let bitmap = try? Bitmap(png: image.png) else { return nil }
        let area = CellArea(columns: min(columns, 48), rows: 12)
        self.init(bitmap, in: area.fitting(bitmap, scale: image.scale))
    }
}

/// An image as cells, each of which shows two pixels.
package struct ImageCells {
    /// The area of an icon, which is a square.
    static let icon = CellArea(columns: 4, rows: 2)

    /// The rows, as runs of cells in one style.
    let rows: [[PageLines.Part]]

    /// Creates the cells of a bundle's icon.
    ///
    /// - Returns: nil for a file that cannot be decoded, or is too large.
    package init?(icon png: [UInt8]) {
        guard png.count <= PageImage.largestFile, let bitmap = try? Bitmap(png: png) else { return nil }
        self.init(HalfBlocks(bitmap, in: Self.icon))
    }

    init(_ picture: HalfBlocks) {
        rows = picture.rows.map { row in
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
