/// What a bundle lets others call: a name and its actions, handed to the mediator by ``BundleDelegate/target(named:)``.
///
/// ```swift
/// ActionTarget("Account", actions: [
///     Action("isSignedIn") { _ in await session.isSignedIn },
/// ])
/// ```
public struct ActionTarget: Sendable {
    /// The name that callers and the manifest use.
    public let name: String
    /// What answers to an action that the target does not have, in the target's own way; `nil` leaves it to the host.
    public let notFound: NotFound?
    private let actions: [String: Action]

    /// Answers to an action that is not there: its name, and what came along.
    public typealias NotFound = @Sendable (String, ActionParameters) async throws -> any Sendable

    /// Gathers actions under a name. Of two actions with one name the last counts.
    public init(_ name: String, actions: [Action], notFound: NotFound? = nil) {
        self.notFound = notFound
        self.name = name
        self.actions = Dictionary(actions.map { ($0.name, $0) }) { _, last in last }
    }

    /// The action of that name, or `nil`.
    public func action(_ name: String) -> Action? {
        actions[name]
    }

    /// The names of all actions, sorted.
    public var actionNames: [String] { actions.keys.sorted() }
}

/// One thing a target does. It runs wherever its closure says; the mediator adds no hop.
public struct Action: Sendable {
    /// What an action does: parameters in, a standard-library or Core value out (`()` for none).
    public typealias Body = @Sendable (ActionParameters) async throws -> any Sendable

    /// The name that callers and the manifest use.
    public let name: String
    /// What it does.
    public let body: Body

    /// Names a piece of work.
    public init(_ name: String, _ body: @escaping Body) {
        self.name = name
        self.body = body
    }
}
