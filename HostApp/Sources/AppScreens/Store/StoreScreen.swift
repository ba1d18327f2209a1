import Console
import PluginCore

/// The store: a grid of tiles, three in a row, which a search narrows down.
package struct StoreScreen {
    /// The minimum width, in columns, of details that show an icon.
    private static let minimumWidthForIcon = 40

    /// All bundles; `nil` until the catalog has been read.
    package private(set) var items: [StoreItem]?
    private var query = TextInput()
    /// The indices of the items that the search matches.
    private var matches: [Int] = []
    /// The place of the selected item among the matches.
    private var selection = 0
    private var firstRow = 0
    /// The size of the grid as last drawn.
    private var (perRow, visibleRows) = (3, 1)
    /// The icons of bundles by identifier and version; an entry without cells stands for a bundle that has none.
    private var icons: [BundleIdentity: ImageCells?] = [:]
    /// The bundles that are visible as last drawn, on tiles or as details, and whose icons aren't known.
    package private(set) var missingIcons: [StoreItem] = []

    /// Shows other items; the selected one stays selected.
    ///
    /// - Parameter changes: the states of the bundles that are being changed, by identifier.
    package mutating func update(_ items: [StoreItem], changes: [String: StoreItem.State] = [:]) {
        let selected = selected?.identifier
        self.items = items.map { item in
            var item = item
            if let state = changes[item.identifier] { item.state = state }
            return item
        }
        // Whatever was the reason that an icon could not be read, it may be gone.
        icons = icons.filter { $0.value != nil }
        search()
        if let index = matches.firstIndex(where: { items[$0].identifier == selected }) { selection = index }
    }

    /// Shows another state of an item.
    package mutating func update(_ identifier: String, _ state: StoreItem.State) {
        guard let index = items?.firstIndex(where: { $0.identifier == identifier }) else { return }
        items?[index].state = state
    }

    /// Shows icons, and letters for the bundles without one.
    package mutating func update(_ icons: [(item: StoreItem, icon: ImageCells?)]) {
        for (item, icon) in icons { self.icons[item.manifest.identity] = .some(icon) }
        missingIcons.removeAll { self.icons[$0.manifest.identity] != nil }
    }

    /// The selected item.
    var selected: StoreItem? {
        guard let items, matches.indices.contains(selection) else { return nil }
        return items[matches[selection]]
    }

    /// The text that the user searches for.
    var searchText: String { query.text }

    mutating func handle(_ key: Key) -> ScreenCommand? {
        switch key {
        case .left: select(selection - 1)
        case .right: select(selection + 1)
        case .up: if selection >= perRow { select(selection - perRow) }
        case .down:
            if selection + perRow < matches.count { select(selection + perRow) } else { select(matches.count - 1) }
        case .pageUp: select(max(selection % perRow, selection - perRow * visibleRows))
        case .pageDown: select(selection + perRow * visibleRows)
        case .home: select(0)
        case .end: select(matches.count - 1)
        case .tab: return selected.map { .showDetails($0.identifier) }
        case .enter: return activation
        case .escape:
            if query.text.isEmpty { return .closeStore }
            query = TextInput()
            search()
        case .character, .backspace, .control("u"):
            let before = query.text
            query.handle(key)
            if before != query.text { search() }
        default: break
        }
        return nil
    }

    /// Selects a tile with the mouse; the second press is like Enter.
    mutating func press(tile index: Int) -> ScreenCommand? {
        guard matches.indices.contains(index) else { return nil }
        if selection == index { return activation }
        selection = index
        return nil
    }

    /// Shows other rows.
    mutating func scroll(by rows: Int) {
        firstRow += rows.signum()
        let first = min(max(0, firstRow) * perRow, max(0, matches.count - 1))
        if selection < first { selection = first + selection % perRow }
        if selection >= first + perRow * visibleRows {
            selection = first + perRow * (visibleRows - 1) + selection % perRow
        }
        select(selection)
    }

    /// The change for Enter: install, update or open.
    private var activation: ScreenCommand? {
        guard let item = selected else { return nil }
        switch item.state {
        case .available, .updatable, .failed: return .install(item.identifier)
        case .installed, .staged: return .open(item.identifier)
        case .blocked: return .showDetails(item.identifier)
        case .waiting, .downloading, .installing: return nil
        }
    }

    private mutating func select(_ index: Int) { selection = max(0, min(index, matches.count - 1)) }

    private mutating func search() {
        let words = query.text.lowercased().split(separator: " ")
        let items = items ?? []
        matches = items.indices.filter { index in words.allSatisfy { items[index].searchText.contains($0) } }
        select(words.isEmpty ? selection : 0)
    }

    /// Draws the search field and the visible tiles; no others are made.
    mutating func draw(on canvas: inout Canvas, in area: Rectangle, _ styles: ScreenStyles) {
        let label = localized("Search: ")
        let end = canvas.write(label, column: area.column + 1, row: area.row, styles.muted)
        let width = max(4, min(40, area.endColumn - end - 1))
        query.draw(on: &canvas, in: Rectangle(column: end, row: area.row, columns: width))
        let count = matches.count == 1 ? localized("1 plugin") : localized("\(matches.count) plugins")
        if items != nil, area.columns > 60 {
            canvas.write(
                count, column: area.endColumn - displayWidth(of: count) - 1, row: area.row, styles.muted)
        }
        let grid = Rectangle(column: area.column, row: area.row + 2, columns: area.columns, rows: area.rows - 2)
        guard let items else { return drawText(localized("Reading the catalog …"), on: &canvas, grid, styles) }
        guard !matches.isEmpty else {
            let text = items.isEmpty ? localized("The catalog is empty.") : localized("Nothing matches.")
            return drawText(text, on: &canvas, grid, styles)
        }
        perRow = max(1, min(3, grid.columns / 25))
        visibleRows = max(1, grid.rows / StoreTile.rows)
        let row = selection / perRow
        firstRow = max(0, min(firstRow, (matches.count - 1) / perRow))
        if row < firstRow { firstRow = row }
        if row >= firstRow + visibleRows { firstRow = row - visibleRows + 1 }
        let columns = grid.columns / perRow
        missingIcons = []
        for index in firstRow * perRow..<min(matches.count, (firstRow + visibleRows) * perRow) {
            let place = Rectangle(
                column: grid.column + (index % perRow) * columns,
                row: grid.row + (index / perRow - firstRow) * StoreTile.rows,
                columns: columns, rows: StoreTile.rows)
            let item = items[matches[index]]
            StoreTile(item: item, isSelected: index == selection, icon: icon(of: item, styles))
                .draw(on: &canvas, in: place, styles)
            canvas.targets.append((place, .tile(index)))
        }
        if firstRow > 0 {
            canvas.write("▲", column: grid.endColumn - 1, row: grid.row - 1, styles.muted)
        }
        if (firstRow + visibleRows) * perRow < matches.count, grid.rows > visibleRows * StoreTile.rows {
            canvas.write(localized("▼ more"), column: grid.column + 1, row: grid.endRow - 1, styles.muted)
        }
    }

    /// Draws a bundle's icon in the upper left corner of its details.
    ///
    /// - Returns: the number of columns used; 0 if the area is too small or the bundle is unknown.
    mutating func drawIcon(
        of identifier: String, on canvas: inout Canvas, in area: Rectangle, _ styles: ScreenStyles
    ) -> Int {
        missingIcons = []
        guard area.columns >= Self.minimumWidthForIcon, area.rows >= StoreTile.iconRows,
            let item = items?.first(where: { $0.identifier == identifier })
        else { return 0 }
        StoreTile(item: item, isSelected: false, icon: icon(of: item, styles))
            .drawIcon(on: &canvas, at: area, styles)
        return StoreTile.iconColumns
    }

    /// Returns the icon of a bundle that is visible; `nil` if it has none, or none that is known yet.
    private mutating func icon(of item: StoreItem, _ styles: ScreenStyles) -> ImageCells? {
        guard styles.showsImages else { return nil }
        guard let icon = icons[item.manifest.identity] else {
            missingIcons.append(item)
            return nil
        }
        return icon
    }

    private func drawText(_ text: String, on canvas: inout Canvas, _ area: Rectangle, _ styles: ScreenStyles) {
        canvas.write(text, in: area.inset(columns: 1), styles.muted)
    }
}
