import Console
import PluginCore

/// All screens of an app as a value: what is shown, and what has the keys.
///
/// An input changes the value, and returns a command for everything that needs the app. Drawing it needs no terminal.
///
/// ```swift
/// var screens = AppScreens(name: "Sample")
/// screens.page = PageScreen(title: "Shop", content: [.text("Welcome")], actions: [])
/// screens.handle(.key(.character("s")))  // .showStore
/// screens.draw(columns: 80, rows: 24).lines
/// ```
package struct AppScreens {
    /// The width from which a list and the chosen page are side by side.
    private static let splitWidth = 120

    private let name: String
    package var styles = ScreenStyles()
    /// The titles of the tabs; fewer than two have no bar.
    package var tabs: [String] = []
    package var tab = 0
    /// The visible page; `nil` if there is none yet.
    package var page: PageScreen?
    /// The page below the visible one, to which back leads.
    package var below: PageScreen?
    /// A Boolean value that indicates whether the page was presented for a result, and lies over the one below.
    package var isModal = false
    package var store = StoreScreen()
    package var isStoreShown = false
    /// The details of a bundle in the store.
    package var details: (identifier: String, page: PageScreen)?
    private var dialogs: [Dialog] = []
    /// A line for the user, which the next input removes.
    package var notice: String?
    /// The running step.
    package var activity: String?
    /// The downloads and installs that run.
    package var changes: [String] = []
    /// A Boolean value that indicates whether the keys go to the list on the left.
    private var isInList = false
    private var isSplit = false
    /// The screen as last drawn.
    private var drawn: Canvas?

    package init(name: String) { self.name = name }

    /// Shows a dialog over everything else.
    package mutating func show(_ dialog: Dialog) { dialogs.append(dialog) }

    /// Removes the dialog of a question that nobody waits for any more.
    package mutating func dismissQuestion() { dialogs.removeAll(where: \.isAwaited) }

    // MARK: - Input

    /// Handles an input.
    ///
    /// - Returns: what the app is to do; `nil` if only the screen has changed.
    package mutating func handle(_ input: ScreenInput) -> ScreenCommand? {
        notice = nil
        switch input {
        case .key(let key): return handle(key)
        case .press(let column, let row):
            guard let target = drawn?.target(column: column, row: row) else { return nil }
            return press(target)
        case .scroll(let lines):
            guard dialogs.isEmpty else { return nil }
            if details != nil {
                details?.page.scroll(by: lines)
            } else if isStoreShown {
                store.scroll(by: lines)
            } else if isSplit, isInList {
                below?.scroll(by: lines)
            } else {
                page?.scroll(by: lines)
            }
            return nil
        }
    }

    private mutating func handle(_ key: Key) -> ScreenCommand? {
        if key == .help {
            if dialogs.isEmpty { show(.keys) }
            return nil
        }
        if !dialogs.isEmpty { return changeDialog { $0.handle(key) } }
        if key == .character("?"), !isStoreShown || store.searchText.isEmpty || details != nil {
            show(.keys)
            return nil
        }
        if let identifier = details?.identifier {
            if [.escape, .backspace, .tab, .character("q")].contains(key) { return .closeDetails }
            return details?.page.handle(key).flatMap { command(of: $0.action, identifier) }
        }
        if isStoreShown {
            if key == .control("u"), store.searchText.isEmpty { return .updateAll }
            return store.handle(key)
        }
        return handlePage(key)
    }

    /// Changes the uppermost dialog, and removes it if that closes it.
    private mutating func changeDialog(_ change: (inout Dialog) -> Dialog.Outcome) -> ScreenCommand? {
        guard case .closed(let command) = change(&dialogs[dialogs.count - 1]) else { return nil }
        dialogs.removeLast()
        return command
    }

    private mutating func command(of action: PageAction.Description, _ identifier: String) -> ScreenCommand? {
        switch StoreAction(rawValue: action.identifier) {
        case .install: return .install(identifier)
        case .open: return .open(identifier)
        case .rollBack:
            let question = localized("Go back to the previous version of \(identifier)?")
            show(.question(localized("Roll back"), [question], yes: .rollBack(identifier), no: nil))
        case .uninstall:
            let question = localized("Uninstall \(identifier)? Its data is kept.")
            show(.question(localized("Uninstall"), [question], yes: .uninstall(identifier), no: nil))
        case nil: break
        }
        return nil
    }

    private mutating func handlePage(_ key: Key) -> ScreenCommand? {
        switch key {
        case .escape, .backspace:
            isInList = false
            return .back
        case .left where isSplit: isInList = true
        case .right where isSplit: isInList = false
        case .left where tabs.count > 1: return .selectTab((tab + tabs.count - 1) % tabs.count)
        case .right where tabs.count > 1: return .selectTab((tab + 1) % tabs.count)
        case .character("s"): return .showStore
        case .character("o"): show(.address())
        case .character("t"): return .showWidgets
        case .character("m"): return .showMessages
        case .character("q"): return .quit
        case _ where isSplit && isInList: return below?.handle(key).flatMap { perform($0, inList: true) }
        default: return page?.handle(key).flatMap { perform($0, inList: false) }
        }
        return nil
    }

    private mutating func perform(_ item: PageItem, inList: Bool) -> ScreenCommand? {
        guard item.action.fields.isEmpty else {
            show(.form(item, isInList: inList))
            return nil
        }
        isInList = false
        return .perform(action: item.action.identifier, input: item.input, isInList: inList)
    }

    private mutating func press(_ target: ScreenTarget) -> ScreenCommand? {
        if !dialogs.isEmpty { return changeDialog { $0.press(target) } }
        switch target {
        case .back: return details != nil ? .closeDetails : isStoreShown ? .closeStore : .back
        case .tab(let index): return .selectTab(index)
        case .tile(let index): return store.press(tile: index)
        case .listItem(let item): return below?.press(item: item).flatMap { perform($0, inList: true) }
        case .item(let item):
            if let identifier = details?.identifier {
                return details?.page.press(item: item).flatMap { command(of: $0.action, identifier) }
            }
            return page?.press(item: item).flatMap { perform($0, inList: false) }
        case .button, .field, .nothing: return nil
        }
    }
}

/// The changes that the details of a bundle offer.
package enum StoreAction: String {
    case install, open, rollBack, uninstall
}

// MARK: - Drawing

extension AppScreens {
    /// Draws everything.
    package mutating func draw(columns: Int, rows: Int) -> Canvas {
        var canvas = Canvas(columns: columns, rows: rows)
        let bounds = canvas.bounds
        drawBar(on: &canvas)
        drawStatus(on: &canvas, in: bounds.line(bounds.rows - 1))
        var body = Rectangle(row: 2, columns: columns, rows: rows - 3)
        if !isStoreShown, tabs.count > 1 {
            body = Rectangle(row: body.row, columns: columns, rows: body.rows - 1)
            drawTabs(on: &canvas, in: Rectangle(row: body.endRow, columns: columns))
        }
        if let details {
            var area = body.inset(columns: 1)
            let used = store.drawIcon(of: details.identifier, on: &canvas, in: area, styles)
            (area.column, area.columns) = (area.column + used, area.columns - used)
            self.details?.page.draw(on: &canvas, in: area, isActive: dialogs.isEmpty, styles)
        } else if isStoreShown {
            store.draw(on: &canvas, in: body, styles)
        } else {
            drawPages(on: &canvas, body)
        }
        for index in dialogs.indices {
            canvas.cursor = nil
            dialogs[index].draw(on: &canvas, in: bounds, styles)
        }
        drawn = canvas
        return canvas
    }

    private mutating func drawPages(on canvas: inout Canvas, _ body: Rectangle) {
        isSplit = body.columns >= Self.splitWidth && below != nil && !isModal
        guard !isSplit, !isModal else {
            return isModal ? drawModal(on: &canvas, body) : drawColumns(on: &canvas, body)
        }
        isInList = false
        page?.draw(on: &canvas, in: body.inset(columns: 1), isActive: dialogs.isEmpty, styles)
    }

    private mutating func drawColumns(on canvas: inout Canvas, _ body: Rectangle) {
        let width = body.columns / 3
        let list = Rectangle(row: body.row, columns: width, rows: body.rows)
        let chosen = Rectangle(column: width + 1, row: body.row, columns: body.columns - width - 1, rows: body.rows)
        for row in body.row..<body.endRow { canvas.write("│", column: width, row: row, styles.muted) }
        below?.draw(on: &canvas, in: list.inset(columns: 1), isActive: dialogs.isEmpty && isInList, styles) {
            .listItem($0)
        }
        page?.draw(on: &canvas, in: chosen.inset(columns: 1), isActive: dialogs.isEmpty && !isInList, styles)
    }

    private mutating func drawModal(on canvas: inout Canvas, _ body: Rectangle) {
        below?.draw(on: &canvas, in: body.inset(columns: 1), isActive: false, styles) { _ in .nothing }
        canvas.restyle(body, styles.muted)
        canvas.targets.append((body, .nothing))
        let columns = max(40, min(90, body.columns - 8))
        let height = page?.height(width: columns - 4, styles) ?? 0
        let box = body.centered(columns: columns, rows: height + 2)
        canvas.fill(box)
        canvas.frame(box, isHeavy: true)
        canvas.write(" \(page?.title ?? "") ", in: box.inset(columns: 2), styles.title)
        page?.draw(on: &canvas, in: box.inset(columns: 2, rows: 1), isActive: dialogs.isEmpty, styles)
    }

    private func drawBar(on canvas: inout Canvas) {
        let row = Rectangle(columns: canvas.columns)
        canvas.fill(row, styles.bar)
        let catalog = localized("Store")
        let title = details?.page.title ?? (isStoreShown ? catalog : (isModal ? below : page)?.title ?? name)
        let back = details != nil ? catalog : isStoreShown ? page?.title ?? name : isModal ? nil : below?.title
        var column = 1
        if let back {
            let width = canvas.columns / 3
            column = canvas.write("‹ \(back)", column: 1, row: 0, width: width, styles.bar)
            canvas.targets.append((Rectangle(column: 0, row: 0, columns: column + 1), .back))
            column += 3
        }
        canvas.write(
            title, column: column, row: 0, width: max(0, canvas.columns - column - 1), styles.bar.adding(.bold))
        let used = column + displayWidth(of: printable(title)) + 3
        let width = displayWidth(of: printable(name)) + 1
        guard title != name, used + width <= canvas.columns else { return }
        canvas.write(name, column: canvas.columns - width, row: 0, styles.bar)
    }

    private func drawTabs(on canvas: inout Canvas, in area: Rectangle) {
        let width = area.columns / tabs.count
        for (index, title) in tabs.enumerated() {
            let place = Rectangle(column: index * width, row: area.row, columns: width)
            let (text, style) = index == tab ? ("[\(title)]", styles.title) : (" \(title) ", styles.muted)
            let start = max(0, (width - displayWidth(of: printable(text))) / 2)
            canvas.write(text, in: place.line(0, from: start), style)
            canvas.targets.append((place, .tab(index)))
        }
    }

    private func drawStatus(on canvas: inout Canvas, in area: Rectangle) {
        let running = (activity.map { [$0 + " …"] } ?? []) + changes
        var end = area.columns
        if !running.isEmpty {
            let text = running.joined(separator: "  ")
            let width = min(displayWidth(of: printable(text)), area.columns / 2)
            end = area.columns - width - 1
            canvas.write(text, column: end, row: area.row, width: width, styles.action)
        }
        let style = notice == nil ? styles.muted : styles.notice
        canvas.write(notice ?? hints, column: 1, row: area.row, width: end - 2, style)
    }

    private var hints: String {
        if details != nil { return localized("↑↓ choose  Enter do it  Esc back  ? keys") }
        if isStoreShown { return localized("Enter install or open  Tab details  Esc back  ? keys") }
        return localized("↑↓ choose  Enter do it  Esc back  s store  ? keys  q quit")
    }
}
