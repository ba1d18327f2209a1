/// The stack of pages that a host shows.
@MainActor
public protocol Navigator: AnyObject, Sendable {
    /// The pages from bottom to top, including presented pages.
    ///
    /// A host that also shows pages beside the stack, such as in tabs, lists them first. A version that was replaced keeps running while one
    /// of its pages is listed.
    var pages: [any Page] { get }

    /// The presented pages that wait to be dismissed, from bottom to top; none by default.
    ///
    /// From them, a plugin in a process of its own finds out which pages remain after it dismisses one.
    var presentedPages: [any Page] { get }

    /// Pushes a page onto the stack.
    func push(_ page: any Page)

    /// Removes the top page. The last page is never removed.
    func pop()

    /// Presents a page over everything else and waits until it is dismissed.
    ///
    /// - Returns: The value with which the page was dismissed, or `nil` if the user left it.
    func present(_ page: any Page) async -> (any Sendable)?

    /// Dismisses the topmost presented page with all pages that were pushed over it, and resumes its presenter.
    ///
    /// If no page is presented, this has no effect.
    func dismiss(returning value: (any Sendable)?)

    /// Shows a one-line message without leaving the page.
    func show(notice: String)
}

extension Navigator {
    /// No pages.
    public var presentedPages: [any Page] { [] }
}
