package import TerminalScreen

/// The styles of the parts of all screens, most of which come from the app's theme.
package struct ScreenStyles: Equatable, Sendable {
    package var title = CellStyle(.bold)
    package var text = CellStyle.plain
    package var action = CellStyle.plain
    package var muted = CellStyle(.dim)
    package var selection = CellStyle(.reverse)
    package var bar = CellStyle(.reverse)
    package var error = CellStyle(.bold)
    package var notice = CellStyle(.bold)
    /// The styles of icons, one of which is chosen by the name.
    package var icons = [CellStyle(.reverse)]
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
