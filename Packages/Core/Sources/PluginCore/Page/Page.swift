/// A screen with a title, content and actions. The host draws it, in a terminal or elsewhere.
///
/// The host reads the content again after everything that may have changed it, so a page stores its state in plain properties and computes
/// the rest.
@MainActor
public protocol Page: AnyObject, Sendable {
    /// The title, which is also shown as the target of the back action.
    var title: String { get }
    /// The content from top to bottom.
    var content: [PageElement] { get }
    /// The actions that are currently available, in order. Of several with one identifier, the first is performed.
    @PageActionBuilder var actions: [PageAction] { get }
    /// The actions that only rows perform, and that hosts don't list; none by default.
    @PageActionBuilder var rowActions: [PageAction] { get }

    /// Performs one of the actions.
    ///
    /// Hosts call it. By default, it runs the code of the action; only a page that stands for another one has an implementation of its own. The
    /// address of a row is no action: the host opens it.
    ///
    /// - Parameters:
    ///   - action: The identifier of the action.
    ///   - input: The texts of the action's fields, by field name; those that are missing are the initial ones.
    ///   - navigator: The stack that contains the page.
    /// - Throws: ``AtriumError`` with code `pageActionUnknown`, the errors of ``PageAction/Description/input(from:)``, and those of the code.
    func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws

    /// Called after the page was permanently removed from the stack.
    func didClose()
}

extension Page {
    /// No actions.
    public var actions: [PageAction] { [] }

    /// No actions.
    public var rowActions: [PageAction] { [] }

    /// Runs the code of an action.
    public func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        guard let found = (actions + rowActions).first(where: { $0.identifier == action }) else {
            let choices = content.flatMap(\.rows).compactMap(\.action) + actions.map(\.identifier)
            throw AtriumError(.pageActionUnknown, action, nearest: choices)
        }
        try await found.perform(found.description.input(from: input), navigator)
    }

    /// Does nothing.
    public func didClose() {}
}

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
