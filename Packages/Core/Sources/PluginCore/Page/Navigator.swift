/// The stack of pages a host shows.
@MainActor
public protocol Navigator: AnyObject, Sendable {
    /// The pages, bottom first; presented pages included.
    var pages: [any Page] { get }

    /// Puts a page on top.
    func push(_ page: any Page)

    /// Takes the top page away. The last page stays.
    func pop()

    /// Shows a page over everything and waits until it is dismissed.
    ///
    /// - Returns: the value it was dismissed with; `nil` when the user just left it.
    func present(_ page: any Page) async -> (any Sendable)?

    /// Takes the topmost presented page away, with everything pushed over it, and resumes who presented it. Nothing
    /// happens when none is presented.
    func dismiss(returning value: (any Sendable)?)

    /// Tells the user something in one line, without leaving the page.
    func show(notice: String)
}
