/// A named group of actions that other bundles may call.
///
/// A plugin's targets are made of the actions that it binds in ``BundleDelegate/targets``. A host creates its own targets:
///
/// ```swift
/// ActionTarget("Clock", actions: [
///     Action("today") { _ in calendar.today },
/// ])
/// ```
public struct ActionTarget: Sendable {
    /// The name by which callers and the manifest refer to the target.
    public let name: String
    /// The closure that handles an action that doesn't exist, or nil to let the host throw an error.
    public let notFound: NotFound?
    private let actions: [String: Action]

    /// A closure that handles an unknown action, given its name and its parameters.
    public typealias NotFound = @Sendable (String, ActionParameters) async throws -> any Sendable

    /// Creates a target. Of several actions with one name, the last is used.
    public init(_ name: String, actions: [Action], notFound: NotFound? = nil) {
        self.notFound = notFound
        self.name = name
        self.actions = Dictionary(actions.map { ($0.name, $0) }) { _, last in last }
    }

    /// Returns the action with a name, or nil if there is none.
    public func action(_ name: String) -> Action? {
        actions[name]
    }

    /// The names of all actions, sorted.
    public var actionNames: [String] { actions.keys.sorted() }
}

/// An action of a target. It runs in the isolation of its closure; the mediator does not switch actors.
public struct Action: Sendable {
    /// A closure that performs an action. It returns a standard-library or Core value, or an empty tuple for no result.
    public typealias Body = @Sendable (ActionParameters) async throws -> any Sendable

    /// The name by which callers and the manifest refer to the action.
    public let name: String
    /// The closure that performs the action.
    public let body: Body

    /// Creates an action.
    public init(_ name: String, _ body: @escaping Body) {
        self.name = name
        self.body = body
    }
}
