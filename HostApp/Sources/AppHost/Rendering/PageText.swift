import Console
import PluginCore

/// Draws a page for people.
struct PageText {
    let style: PageStyle

    init(terminal: Terminal) {
        self.init(PageStyle(terminal: terminal))
    }

    init(_ style: PageStyle) {
        self.style = style
    }

    /// The page: title, content, numbered actions.
    @MainActor
    func render(_ page: any Page) -> String {
        let width = max(1, displayWidth(of: printable(page.title)))
        var lines = [style.title(page.title), style.underline(width)]
        for element in page.content { lines += render(element) }
        let actions = page.actions
        if !actions.isEmpty { lines.append("") }
        for (number, action) in actions.enumerated() {
            let fields = action.fields.map { " \($0.name)=<\(printable($0.label))>" }.joined()
            let name = style.muted("(\(action.identifier)\(fields))")
            lines.append("\(style.selection)[\(number + 1)] \(style.action(action.title)) \(name)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func render(_ element: PageElement) -> [String] {
        switch element {
        case .heading(let text): ["", style.title(text)]
        case .text(let text): [style.text(text)]
        case .field(let label, let value): ["\(printable(label)): \(style.text(value))"]
        case .list(let rows): render(rows)
        case .divider: [style.divider]
        @unknown default: []
        }
    }

    /// Titles and details in two columns.
    private func render(_ rows: [PageRow]) -> [String] {
        let titles = rows.map { " \(style.bullet) \(printable($0.title))" }
        let width = titles.map { displayWidth(of: $0) }.max() ?? 0
        return zip(rows, titles).map { row, title in
            let gap = String(repeating: " ", count: width - displayWidth(of: title) + 2)
            return style.text(title) + (row.detail.isEmpty ? "" : gap + style.muted(row.detail))
        }
    }
}
