import Console
import PluginCore

/// Draws a page for people.
struct PageText {
    let terminal: Terminal

    /// The page: title, content, numbered actions.
    @MainActor
    func render(_ page: any Page) -> String {
        let title = printable(page.title)
        var lines = [terminal.styled(title, .bold), String(repeating: "=", count: max(1, displayWidth(of: title)))]
        for element in page.content { lines += render(element) }
        let actions = page.actions
        if !actions.isEmpty { lines.append("") }
        for (number, action) in actions.enumerated() {
            let fields = action.fields.map { " \($0.name)=<\(printable($0.label))>" }.joined()
            let name = terminal.styled("(\(action.identifier)\(fields))", .dim)
            lines.append("  [\(number + 1)] \(printable(action.title)) \(name)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func render(_ element: PageElement) -> [String] {
        switch element {
        case .heading(let text): return ["", terminal.styled(printable(text), .bold)]
        case .text(let text): return [printable(text)]
        case .field(let label, let value): return ["\(printable(label)): \(printable(value))"]
        case .list(let rows):
            var table = Table([Table.Column(), Table.Column(style: .dim)])
            for row in rows { table.add([" - \(printable(row.title))", printable(row.detail)]) }
            return table.rendered(for: terminal).split(separator: "\n").map(String.init)
        case .divider: return ["---"]
        @unknown default: return []
        }
    }
}
