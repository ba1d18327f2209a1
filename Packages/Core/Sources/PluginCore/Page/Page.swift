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
