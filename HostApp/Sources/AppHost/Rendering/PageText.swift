public import Console
public import PluginCore

/// The renderer of pages as text, with a title, the content and numbered actions.
///
/// ```swift
/// StandardOutput.note(PageText(terminal: Terminal(.error)).render(page))
/// ```
public struct PageText {
    let style: PageStyle

    /// Creates a renderer without a theme.
    public init(terminal: Terminal) {
        self.init(PageStyle(terminal: terminal))
    }

    /// Creates a renderer with a style.
    public init(_ style: PageStyle) {
        self.style = style
    }

    /// Returns the title, the content and the numbered actions of a page, wrapped at the terminal's width if there is one.
    @MainActor
    public func render(_ page: any Page) -> String {
        let title = displayWidth(of: printable(page.title))
        var lines = wrapped(page.title, style.title)
        lines.append(style.underline(max(1, min(title, style.width ?? title))))
        for element in page.content { lines += render(element) }
        let actions = page.actions
        if !actions.isEmpty { lines.append("") }
        for (number, action) in actions.enumerated() {
            let fields = action.fields.map { " \($0.name)=<\($0.label)>" }.joined()
            let mark = "\(style.mark)[\(number + 1)] "
            var line = WrappedText(style.mark, style: style.selection)
            line.append("[\(number + 1)] ")
            line.append(action.title, style: style.action)
            line.append(" ")
            line.append("(\(action.identifier)\(fields))", style: style.muted)
            lines += line.lines(width: style.width, hanging: displayWidth(of: mark))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func render(_ element: PageElement) -> [String] {
        switch element {
        case .heading(let text): return [""] + wrapped(text, style.title)
        case .text(let text): return wrapped(text, style.text)
        case .field(let label, let value):
            var line = WrappedText("\(label): ")
            line.append(value, style: style.text)
            return line.lines(width: style.width, hanging: 2)
        case .list(let rows): return render(rows)
        case .divider: return [style.divider]
        @unknown default: return []
        }
    }

    private func wrapped(_ text: String, _ style: @escaping (String) -> String) -> [String] {
        WrappedText(text, style: style).lines(width: self.style.width)
    }

    /// Renders rows as two columns of titles and details.
    ///
    /// On a terminal, a title that is wider than half the width does not widen the column; its detail is on the next line.
    private func render(_ rows: [PageRow]) -> [String] {
        let bullet = " \(style.bullet) "
        let titles = rows.map { bullet + printable($0.title) }
        let widths = titles.map { displayWidth(of: $0) }
        let column = widths.filter { $0 <= (style.width ?? .max) / 2 }.max() ?? 0
        return zip(rows, zip(titles, widths)).flatMap { row, title in
            var line = WrappedText(title.0, style: style.text)
            if row.detail.isEmpty || title.1 > column {
                let lines = line.lines(width: style.width, hanging: displayWidth(of: bullet))
                guard !row.detail.isEmpty else { return lines }
                let indent = max(column + 2, 4)
                let margin = String(repeating: " ", count: indent)
                let details = WrappedText(row.detail, style: style.muted).lines(width: style.width.map { $0 - indent })
                return lines + details.map { margin + $0 }
            }
            line.append(String(repeating: " ", count: column - title.1 + 2))
            line.append(row.detail, style: style.muted)
            return line.lines(width: style.width, hanging: column + 2)
        }
    }
}
