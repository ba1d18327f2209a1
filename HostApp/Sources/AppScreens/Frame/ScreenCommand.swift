import Console

/// A change that the user asks for and that the screens cannot make themselves.
package enum ScreenCommand: Equatable, Sendable {
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

/// The keys that the help lists, in the language of the program.
enum KeyHelp {
    static var title: String { localized("Keys") }

    static var lines: [String] {
        [
            localized("Pages"),
            line("↑ ↓", localized("select an action, or scroll")),
            line(localized("Enter, 1 to 9"), localized("perform an action")),
            line("Esc, ⌫", localized("back")),
            line("← →", localized("the tabs; with two columns, the list and the page")),
            line("s", localized("the store")),
            line("o", localized("open an address")),
            line("t", localized("the widgets of today")),
            line("m", localized("messages of plugins")),
            line("q", localized("quit")),
            "",
            localized("Store"),
            line(localized("letters"), localized("search")),
            line(localized("arrows"), localized("select a plugin")),
            line("Enter", localized("install it, update it or open it")),
            line("Tab", localized("details: permissions, size, rollback, removal")),
            line("Ctrl-U", localized("update all plugins")),
            line("Esc", localized("clear the search, or leave the store")),
            "",
            localized("Everywhere"),
            line("F1, ?", localized("these keys")),
            line("Ctrl-C", localized("stop the running step, or quit")),
            line("Ctrl-Z", localized("suspend")),
            line(localized("mouse"), localized("select, press, scroll")),
        ]
    }

    /// Returns a key and what it does, in two columns.
    private static func line(_ key: String, _ meaning: String) -> String {
        "  " + key + String(repeating: " ", count: max(1, 15 - displayWidth(of: key))) + meaning
    }
}
