/// A part of the screen that the user can choose with the mouse.
enum ScreenTarget {
    case back
    case tab(Int)
    /// An item of the page on the left of a split view.
    case listItem(Int)
    /// An item of the page.
    case item(Int)
    case tile(Int)
    case button(Int)
    case field(Int)
    /// A part that hides what is below it and does nothing.
    case nothing
}

/// The styles of the parts of all screens, most of which come from the app's theme.
package struct ScreenStyles: Equatable {
    package var title = CellStyle(.bold)
    package var text = CellStyle.plain
    package var action = CellStyle.plain
    package var muted = CellStyle(.dim)
    var selection = CellStyle(.reverse)
    var bar = CellStyle(.reverse)
    var error = CellStyle(.bold)
    var notice = CellStyle(.bold)
    /// The styles of icons, one of which is chosen by the name.
    var icons = [CellStyle(.reverse)]
    /// A Boolean value that indicates whether the terminal has the colors for images.
    package var showsImages = false
    /// The mark before a row of a list.
    package var bullet = "•"
    /// The mark before the selected row.
    package var mark = "›"

    /// Styles without any color.
    package init() {}

    /// Styles with the terminal's standard colors where the theme has none.
    package static let colored: ScreenStyles = {
        var styles = ScreenStyles()
        styles.action.foreground = 6
        styles.error.foreground = 1
        styles.notice.foreground = 2
        styles.icons = [1, 2, 3, 4, 5, 6].map { CellStyle(.bold, foreground: 15, background: $0) }
        return styles
    }()
}

/// A change that the user asks for and that the screens cannot make themselves.
package enum ScreenCommand: Equatable {
    /// Perform an action of the page, or of the page on the left of a split view, with the values of its fields.
    case perform(action: String, input: [String: String], isInList: Bool = false)
    case back
    case selectTab(Int)
    case showStore
    case closeStore
    case showDetails(String)
    case closeDetails
    /// Install the newest version of a bundle, or update it.
    case install(String)
    /// Show the first page of an installed bundle.
    case open(String)
    case rollBack(String)
    case uninstall(String)
    case openAddress(String)
    case showWidgets
    case showMessages
    case updateAll
    /// The answer to the question of a dialog.
    case answer(Bool)
    /// Stop the running step.
    case interrupt
    case quit
}
