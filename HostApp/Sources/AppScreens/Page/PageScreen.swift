package import PluginCore

/// A page as a screen: what it shows, and which item is selected.
///
/// ```swift
/// var page = PageScreen(title: "Shop", content: [.text("Welcome")], actions: [.init("cart", title: "Cart")])
/// page.handle(.enter)?.action.title  // "Cart", once the page was drawn
/// ```
package struct PageScreen {
    let title: String
    let content: [PageElement]
    package let actions: [PageAction.Description]
    /// The selected item.
    private(set) var selection = 0
    private var scroll = 0
    /// The number of lines that were visible when the page was last drawn.
    private var visible = 1
    /// The lines as last drawn, and what they were made for.
    private var cache: (lines: PageLines, width: Int, styles: ScreenStyles)?

    /// Creates the screen of a page.
    ///
    /// - Parameter before: the screen of the same page with other content, whose selection stays.
    package init(
        title: String, content: [PageElement], actions: [PageAction.Description], after before: PageScreen? = nil
    ) {
        (self.title, self.content, self.actions) = (title, content, actions)
        guard let before else { return }
        (selection, scroll, visible) = (before.selection, before.scroll, before.visible)
        if (title, content, actions) == (before.title, before.content, before.actions) { cache = before.cache }
    }

    /// Moves the selection, or returns the item that the user has chosen.
    mutating func handle(_ key: Key) -> PageItem? {
        switch key {
        case .up: move(-1)
        case .down: move(1)
        case .pageUp: scrollPage(-max(1, visible - 1))
        case .pageDown: scrollPage(max(1, visible - 1))
        case .home: scrollPage(-lineCount)
        case .end: scrollPage(lineCount)
        case .enter: return items.indices.contains(selection) ? items[selection] : nil
        case .character(let character):
            guard let number = character.wholeNumberValue, items.indices.contains(number - 1) else { return nil }
            return items[number - 1]
        default: break
        }
        return nil
    }

    /// Selects an item with the mouse and returns it.
    mutating func press(item: Int) -> PageItem? {
        guard items.indices.contains(item) else { return nil }
        selection = item
        return items[item]
    }

    /// Shows other lines without changing the selection.
    mutating func scroll(by lines: Int) {
        scroll = max(0, min(scroll + lines, lineCount - visible))
    }

    private var items: [PageItem] { cache?.lines.items ?? [] }
    private var lineCount: Int { cache?.lines.lines.count ?? 0 }

    /// Selects the next item, or scrolls if it is too far away to be seen.
    private mutating func move(_ step: Int) {
        let next = selection + step
        guard items.indices.contains(next), let place = cache?.lines.lines(of: next) else { return scroll(by: step) }
        let isNear = place.lowerBound < scroll + visible + 1 && place.upperBound > scroll - 1
        guard isNear else { return scroll(by: step) }
        selection = next
        scroll = max(min(scroll, place.lowerBound), place.upperBound - visible)
    }

    private mutating func scrollPage(_ lines: Int) {
        scroll(by: lines)
        // The selection moves to the first or last item that is visible.
        let shown = items.indices.filter { index in
            cache?.lines.lines(of: index).map { $0.lowerBound >= scroll && $0.upperBound <= scroll + visible } ?? false
        }
        if let item = lines < 0 ? shown.first : shown.last { selection = item }
    }

    /// Returns the number of lines at a width.
    mutating func height(width: Int, _ styles: ScreenStyles) -> Int {
        layOut(width: width, styles)
        return lineCount
    }

    private mutating func layOut(width: Int, _ styles: ScreenStyles) {
        guard cache == nil || cache?.width != width || cache?.styles != styles else { return }
        cache = (PageLines(self, width: width, styles), width, styles)
    }

    /// Draws the visible lines.
    ///
    /// - Parameters:
    ///   - isActive: `true` if the keys go to this page.
    ///   - target: makes the target of an item for the mouse.
    mutating func draw(
        on canvas: inout Canvas, in area: Rectangle, isActive: Bool, _ styles: ScreenStyles,
        target: (Int) -> ScreenTarget = { .item($0) }
    ) {
        layOut(width: area.columns, styles)
        guard let lines = cache?.lines else { return }
        visible = max(1, area.rows)
        selection = max(0, min(selection, lines.items.count - 1))
        scroll = max(0, min(scroll, lines.lines.count - visible))
        for (offset, line) in lines.lines.dropFirst(scroll).prefix(area.rows).enumerated() {
            let place = area.line(offset)
            for part in line.parts {
                canvas.write(part.text, in: place.line(0, from: part.column), part.style)
            }
            guard let item = line.item else { continue }
            canvas.targets.append((place, target(item)))
            guard isActive, item == selection else { continue }
            canvas.restyle(place, styles.selection)
            canvas.write(styles.mark, column: area.column, row: place.row, width: 1, styles.selection)
        }
        if scroll > 0 { canvas.write("▲", column: area.endColumn, row: area.row, styles.muted) }
        guard scroll + visible < lines.lines.count else { return }
        canvas.write("▼", column: area.endColumn, row: area.endRow - 1, styles.muted)
    }
}
