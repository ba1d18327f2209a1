package import TerminalScreen

/// A drawn screen, with the places that the user can point at.
package struct Drawing {
    package var canvas: Canvas
    /// The places that react to the mouse; later ones lie over earlier ones.
    package var targets: [(area: Rectangle, target: ScreenTarget)] = []
    /// The place of the cursor where text is entered; `nil` to hide it.
    package var cursor: (column: Int, row: Int)?

    package init(columns: Int, rows: Int) {
        canvas = Canvas(columns: columns, rows: rows)
    }

    /// The target at a place.
    package func target(column: Int, row: Int) -> ScreenTarget? {
        targets.last { $0.area.contains(column: column, row: row) }?.target
    }
}

/// A part of the screen that the user can choose with the mouse.
package enum ScreenTarget: Hashable, Sendable {
    case back
    case tab(Int)
    /// An item of the page on the left of a split view.
    case listItem(Int)
    /// An item of the page.
    case item(Int)
    case tile(Int)
    case button(Int)
    case field(Int)
    case widget(Int)
    /// A part that hides what is below it and does nothing.
    case nothing
}
