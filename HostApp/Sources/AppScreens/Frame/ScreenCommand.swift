/// A change that the user asks for and that the screens cannot make themselves.
package enum ScreenCommand: Equatable, Sendable {
    /// Perform an action of the page with the values of its fields.
    case perform(action: String, input: [String: String])
    /// Perform an action of the page on the left of a split view.
    case performInList(action: String, input: [String: String])
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
    case closeWidgets
    case showMessages
    case updateAll
    /// The answer to the question of a dialog.
    case answer(Bool)
    /// Stop the running step.
    case interrupt
    case quit
}
