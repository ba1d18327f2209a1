import Console
import PluginCore
import TerminalScreen

/// The lines of a page at a width, with the items that can be chosen.
struct PageLines: Equatable, Sendable {
    /// A part of a line in one style.
    struct Part: Equatable, Sendable {
        var column: Int
        var text: String
        var style: CellStyle
    }

    struct Line: Equatable, Sendable {
        var parts: [Part] = []
        /// The item that the line belongs to.
        var item: Int?
    }

    private(set) var lines: [Line] = []
    /// The actions that can be chosen, from top to bottom.
    private(set) var items: [PageAction] = []
    private let width: Int
    private let styles: ScreenStyles

    init(_ page: PageScreen, width: Int, _ styles: ScreenStyles) {
        self.width = max(1, width)
        self.styles = styles
        for element in page.content { add(element) }
        if !page.actions.isEmpty, !lines.isEmpty { lines.append(Line()) }
        for (index, action) in page.actions.enumerated() { add(action, number: index + 1) }
    }

    /// The lines of an item.
    func lines(of item: Int) -> Range<Int>? {
        guard let first = lines.firstIndex(where: { $0.item == item }) else { return nil }
        return first..<(lines[first...].firstIndex { $0.item != item } ?? lines.endIndex)
    }

    private mutating func add(_ text: String, _ style: CellStyle, column: Int = 0, item: Int? = nil) {
        for line in WrappedText(text).lines(width: max(1, width - column)) {
            lines.append(Line(parts: [Part(column: column, text: line, style: style)], item: item))
        }
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
            let first = lines.count
            add(value.isEmpty ? " " : value, styles.text, column: column)
            lines[first].parts.insert(Part(column: 0, text: "\(label):", style: styles.muted), at: 0)
        case .list(let rows): add(rows)
        case .divider: add(String(repeating: "─", count: width), styles.muted)
        @unknown default: break
        }
    }

    private mutating func add(_ rows: [PageRow]) {
        let indent = displayWidth(of: styles.bullet) + 1
        let widths = rows.map { indent + displayWidth(of: printable($0.title)) }
        let column = (widths.filter { $0 <= width / 2 }.max() ?? 0) + 2
        for (row, title) in zip(rows, widths) {
            let first = lines.count
            add(row.title, styles.text, column: indent)
            lines[first].parts.insert(Part(column: 0, text: styles.bullet, style: styles.muted), at: 0)
            guard !row.detail.isEmpty else { continue }
            if lines.count == first + 1, title + 2 <= column {
                let details = WrappedText(row.detail).lines(width: max(1, width - column))
                for (index, line) in details.enumerated() {
                    if index > 0 { lines.append(Line()) }
                    lines[first + index].parts.append(Part(column: column, text: line, style: styles.muted))
                }
            } else {
                add(row.detail, styles.muted, column: min(indent + 2, width - 1))
            }
        }
    }

    private mutating func add(_ action: PageAction, number: Int) {
        let item = items.count
        items.append(action)
        let key = number < 10 ? "\(number)" : " "
        let first = lines.count
        add(action.title + (action.fields.isEmpty ? "" : " …"), styles.action, column: 4, item: item)
        lines[first].parts.insert(Part(column: 2, text: key, style: styles.muted), at: 0)
    }
}
