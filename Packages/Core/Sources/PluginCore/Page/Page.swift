/// A screen: a title, what it shows, and what can be done on it. The host draws it, in a terminal or elsewhere.
///
/// A page is asked for its content again after everything that may have changed it, so it keeps its state in plain
/// properties and computes the rest.
@MainActor
public protocol Page: AnyObject, Sendable {
    /// What stands at the top and on the way back.
    var title: String { get }
    /// What it shows, top to bottom.
    var content: [PageElement] { get }
    /// What can be done now, in order.
    var actions: [PageAction] { get }

    /// Does one of ``actions``.
    ///
    /// - Parameters:
    ///   - action: its identifier.
    ///   - input: the text of each of the action's fields, by field name.
    ///   - navigator: the stack that the page stands on.
    func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws

    /// The page has left the stack for good.
    func didClose()
}

extension Page {
    /// No actions.
    public var actions: [PageAction] { [] }

    /// Refuses: a page without actions has none to do.
    public func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        throw AtriumError(.pageActionUnknown, action, nearest: actions.map(\.identifier))
    }

    /// Nothing.
    public func didClose() {}
}
