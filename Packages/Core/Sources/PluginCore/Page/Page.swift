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
    /// The actions that are currently available, in order.
    var actions: [PageAction] { get }

    /// Performs one of the actions.
    ///
    /// - Parameters:
    ///   - action: The identifier of the action.
    ///   - input: The text of each of the action's fields, by field name.
    ///   - navigator: The stack that contains the page.
    func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws

    /// Called after the page was permanently removed from the stack.
    func didClose()
}

extension Page {
    /// No actions.
    public var actions: [PageAction] { [] }

    /// Throws an error, because a page without actions has none to perform.
    public func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        throw AtriumError(.pageActionUnknown, action, nearest: actions.map(\.identifier))
    }

    /// Does nothing.
    public func didClose() {}
}

/// An action that the user can perform on a page.
public struct PageAction: Hashable, Codable, Sendable {
    /// The identifier, which is the same in all languages.
    public let identifier: String
    /// The title that the user reads.
    public let title: String
    /// The fields that the user fills in first, usually none.
    public let fields: [PageField]

    /// Creates an action.
    public init(_ identifier: String, title: String, fields: [PageField] = []) {
        self.identifier = identifier
        self.title = title
        self.fields = fields
    }

    /// Returns the input for the page: the entered text of each field in its final form, and the initial text of fields without one.
    ///
    /// Hosts call this before they perform the action, so that pages get only values that their fields accept. Texts of other names are passed
    /// on as they are.
    ///
    /// - Throws: The errors of ``PageField/value(of:)``.
    public func input(from texts: [String: String]) throws(AtriumError) -> [String: String] {
        var input = texts
        for field in fields { input[field.name] = try field.value(of: texts[field.name] ?? field.initial) }
        return input
    }
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
