import PluginCore
import RemoteObjects

/// The page that a host shows in place of one whose process has ended: it says so, and offers to start the plugin again.
final class EndedPage: Page {
    /// The identifier of the action that starts the plugin again.
    static let restartAction = "restart"

    let title: String
    let content: [PageElement]
    private let restartTitle: String
    private let restart: (@MainActor () async throws -> Void)?

    /// Creates a page.
    ///
    /// - Parameter restart: Opens the page's address again and shows the result in its place, or nil for a page without an address.
    init(title: String, _ texts: EndedPageTexts, restart: (@MainActor () async throws -> Void)?) {
        self.title = title
        content = texts.content.map { .text($0) }
        restartTitle = texts.restart
        self.restart = restart
    }

    var actions: [PageAction] { restart == nil ? [] : [PageAction(Self.restartAction, title: restartTitle)] }

    func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        guard action == Self.restartAction, let restart else {
            throw AtriumError(.pageActionUnknown, action, nearest: actions.map(\.identifier))
        }
        try await restart()
    }
}
