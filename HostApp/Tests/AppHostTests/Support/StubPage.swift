import PluginCore

/// A page with the behavior that a test gives to it.
@MainActor
final class StubPage: Page {
    typealias Behavior =
        @MainActor (
            _ action: String, _ input: [String: String], _ navigator: any Navigator
        ) async throws -> Void

    let title: String
    let content: [PageElement]
    private let descriptions: [PageAction.Description]
    var actions: [PageAction] { descriptions.map { PageAction($0) } }
    private(set) var closings = 0
    private let behavior: Behavior
    private let closing: @MainActor () -> Void

    init(
        _ title: String, content: [PageElement] = [], actions: [PageAction.Description] = [],
        behavior: @escaping Behavior = { _, _, _ in }, closing: @escaping @MainActor () -> Void = {}
    ) {
        (self.title, self.content, self.descriptions, self.closing) = (title, content, actions, closing)
        self.behavior = behavior
    }

    func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        try await behavior(action, input, navigator)
    }

    func didClose() {
        closings += 1
        closing()
    }

    /// Returns a page with actions that run a closure.
    static func acting(_ title: String, _ actions: [String], _ behavior: @escaping Behavior) -> StubPage {
        StubPage(title, actions: actions.map { PageAction.Description($0, title: $0) }, behavior: behavior)
    }

    /// Returns a page with an action `ok` that dismisses it with a value.
    static func asking(_ title: String, answer: String) -> StubPage {
        acting(title, ["ok"]) { _, _, navigator in navigator.dismiss(returning: answer) }
    }
}
