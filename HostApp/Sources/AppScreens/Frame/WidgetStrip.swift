import Console
package import PluginCore
import TerminalScreen

/// The widgets of the installed plugins, side by side below the page.
package struct WidgetStrip: Equatable, Sendable {
    /// The rows of the strip, including its frame.
    package static let rows = 7

    /// A widget, or the reason why there is none.
    package struct Widget: Equatable, Sendable {
        let title: String
        let content: [PageElement]
        let address: String?

        package init(title: String, content: [PageElement], address: String?) {
            (self.title, self.content, self.address) = (title, content, address)
        }
    }

    /// The widgets; `nil` until they have answered.
    package let widgets: [Widget]?
    private var selection = 0

    package init(_ widgets: [Widget]?) { self.widgets = widgets }

    mutating func handle(_ key: Key) -> ScreenCommand? {
        switch key {
        case .left: selection = max(0, selection - 1)
        case .right: selection = max(0, min(selection + 1, (widgets?.count ?? 0) - 1))
        case .enter: return choose(selection)
        case .escape, .character("t"), .backspace: return .closeWidgets
        case .character("q"): return .quit
        default: break
        }
        return nil
    }

    func choose(_ index: Int) -> ScreenCommand? {
        guard let widgets, widgets.indices.contains(index) else { return nil }
        return widgets[index].address.map { .openAddress($0) }
    }

    func draw(on drawing: inout Drawing, in area: Rectangle, _ styles: ScreenStyles) {
        drawing.canvas.fill(area)
        guard let widgets, !widgets.isEmpty else {
            drawing.canvas.frame(area, style: styles.muted)
            let text = widgets == nil ? localized("The widgets are starting …") : localized("No widgets.")
            drawing.canvas.write(text, column: area.column + 2, row: area.row + 1, style: styles.muted)
            return
        }
        // Those that have no room are reached with the arrow keys.
        let count = max(1, min(widgets.count, area.columns / 30))
        let first = min(max(0, selection - count + 1), widgets.count - count)
        for (offset, widget) in widgets.dropFirst(first).prefix(count).enumerated() {
            let width = area.columns / count
            let place = Rectangle(
                column: area.column + offset * width, row: area.row, columns: width, rows: area.rows)
            let isSelected = first + offset == selection
            drawing.canvas.frame(place, isHeavy: isSelected, style: isSelected ? styles.action : styles.muted)
            drawing.canvas.write(
                " \(widget.title) ", column: place.column + 2, row: place.row, width: width - 4, style: styles.title)
            var page = PageScreen(title: widget.title, content: widget.content, actions: [])
            page.draw(on: &drawing, in: place.inset(columns: 2, rows: 1), isActive: false, styles) { _ in .nothing }
            drawing.targets.append((place, .widget(first + offset)))
        }
    }
}
