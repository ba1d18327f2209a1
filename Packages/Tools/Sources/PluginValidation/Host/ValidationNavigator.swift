import PluginCore

/// A stack of pages that nobody sees. Presented pages are drawn and left at once.
@MainActor
final class ValidationNavigator: Navigator {
    private(set) var pages: [any Page] = []
    /// Draws a page.
    var draw: @MainActor (any Page) -> Void = { _ in }

    func push(_ page: any Page) {
        pages.append(page)
        draw(page)
    }

    func pop() { _ = pages.popLast() }

    func present(_ page: any Page) async -> (any Sendable)? {
        draw(page)
        page.didClose()
        return nil
    }

    func dismiss(returning value: (any Sendable)?) {}

    func show(notice: String) {}

    /// Adds a page that was opened without the stack, so that its version counts as in use.
    func keep(_ page: any Page) { pages.append(page) }

    /// Removes the pages above a number of them, and informs each.
    func close(downTo count: Int = 0) {
        while pages.count > count { pages.removeLast().didClose() }
    }
}
