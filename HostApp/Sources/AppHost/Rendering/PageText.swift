import AppScreens
public import Console
public import PluginCore
public import TerminalImages

/// The renderer of pages as text, with a title, the content and numbered actions. Rows that can be chosen have numbers before those of
/// the actions.
///
/// ```swift
/// StandardOutput.note(PageText(terminal: Terminal(.error)).render(page))
/// ```
public struct PageText {
    let style: PageStyle
    private let imageColors: ColorDepth?

    /// Creates a renderer without a theme, which shows images as their texts.
    public init(terminal: Terminal) {
        self.init(PageStyle(terminal: terminal))
    }

    /// Creates a renderer with a style.
    ///
    /// - Parameter imageColors: The colors in which images are drawn, or nil to show their texts.
    public init(_ style: PageStyle, imageColors: ColorDepth? = nil) {
        self.style = style
        self.imageColors = imageColors
    }

    /// Returns the title, the content and the numbered actions of a page, wrapped at the terminal's width if there is one.
    @MainActor
    public func render(_ page: any Page) -> String {
        let title = displayWidth(of: printable(page.title))
        var lines = wrapped(page.title, style.title)
        lines.append(style.underline(max(1, min(title, style.width ?? title))))
        var number = 0
        for element in page.content { lines += render(element, &number) }
        let actions = page.actions.map(\.description)
        if !actions.isEmpty { lines.append("") }
        for action in actions {
            number += 1
            let fields = action.fields.map { " \($0.name)=<\(Self.description(of: $0))>" }.joined()
            let mark = "\(style.mark)[\(number)] "
            var line = WrappedText(style.mark, style: style.selection)
            line.append("[\(number)] ")
            line.append(action.title, style: style.action)
            line.append(" ")
            line.append("(\(action.identifier)\(fields))", style: style.muted)
            lines += line.lines(width: style.width, hanging: displayWidth(of: mark))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the label of a field, and what may be entered.
    private static func description(of field: PageField) -> String {
        field.values.map { "\(field.label): \($0.joined(separator: "|"))" } ?? field.label
    }

    /// Renders an element.
    ///
    /// - Parameter number: The number of the last row that can be chosen.
    private func render(_ element: PageElement, _ number: inout Int) -> [String] {
        switch element {
        case .heading(let text): return [""] + wrapped(text, style.title)
        case .text(let text): return wrapped(text, style.text)
        case .field(let label, let value):
            var line = WrappedText("\(label): ")
            line.append(value, style: style.text)
            return line.lines(width: style.width, hanging: 2)
        case .list(let rows): return render(rows, &number)
        case .divider: return [style.divider]
        case .image(let image): return render(image)
        case .progress(let label, let fraction): return render(progress: label, fraction?.asFraction)
        case .section(let title, let elements):
            let indented = PageText(style.indented, imageColors: imageColors)
            var lines: [String] = []
            for element in elements { lines += indented.render(element, &number) }
            return [""] + (title.isEmpty ? [] : wrapped(title, style.title)) + lines.map { $0.isEmpty ? "" : "  " + $0 }
        case .unknown: return []
        @unknown default: return []
        }
    }

    /// Renders an image as a drawing, or else as its text, or as nothing if it only decorates.
    private func render(_ image: PageImage) -> [String] {
        guard let imageColors, let picture = HalfBlocks(image, columns: style.width ?? .max) else {
            return image.text.isEmpty ? [] : wrapped("[\(image.text)]", style.muted)
        }
        return picture.lines(in: imageColors)
    }

    /// Renders progress as a percentage, with a bar for people who see it.
    private func render(progress label: String, _ fraction: Double?) -> [String] {
        let cells = 20
        var line = WrappedText(label.isEmpty ? "" : "\(label): ")
        if style.isDrawn, let fraction {
            let filled = Int(fraction * Double(cells))
            let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: cells - filled)
            line.append("[\(bar)] ", style: style.action)
        }
        line.append(fraction.map { "\(Int($0 * 100)) %" } ?? "…", style: style.text)
        return line.lines(width: style.width, hanging: 2)
    }

    private func wrapped(_ text: String, _ style: @escaping (String) -> String) -> [String] {
        WrappedText(text, style: style).lines(width: self.style.width)
    }

    /// Renders rows as two columns of titles and details. A row that can be chosen has a number, and its action at the end.
    ///
    /// On a terminal, a title that is wider than half the width does not widen the column; its detail is on the next line.
    private func render(_ rows: [PageRow], _ number: inout Int) -> [String] {
        let marks = rows.map { row in
            guard row.action != nil else { return " \(style.bullet) " }
            number += 1
            return "\(style.mark)[\(number)] "
        }
        let titles = zip(marks, rows).map { mark, row in
            mark + printable(row.title.isEmpty ? row.image?.text ?? "" : row.title)
        }
        let widths = titles.map { displayWidth(of: $0) }
        let column = widths.filter { $0 <= (style.width ?? .max) / 2 }.max() ?? 0
        var lines: [String] = []
        for (index, row) in rows.enumerated() {
            let (title, width) = (titles[index], widths[index])
            let action = row.action.map { " (\($0)\(row.input.words))" } ?? ""
            var line = WrappedText(title, style: style.text)
            if row.detail.isEmpty || width > column {
                line.append(action, style: style.muted)
                lines += line.lines(width: style.width, hanging: displayWidth(of: marks[index]))
                guard !row.detail.isEmpty else { continue }
                let indent = max(column + 2, 4)
                let margin = String(repeating: " ", count: indent)
                let details = WrappedText(row.detail, style: style.muted).lines(width: style.width.map { $0 - indent })
                lines += details.map { margin + $0 }
                continue
            }
            line.append(String(repeating: " ", count: column - width + 2))
            line.append(row.detail + action, style: style.muted)
            lines += line.lines(width: style.width, hanging: column + 2)
        }
        return lines
    }
}
