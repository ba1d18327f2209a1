/// An action of a plugin: a contract, bound to the closure that performs it.
///
/// Inside a principal object's `targets`, `Action` and `UnknownAction` create one. The actions with the same target form that target.
public struct ActionBinding<Bundle: AnyObject & Sendable>: Sendable {
    /// The closure of an action, or of all actions that a target does not have.
    enum Body: Sendable {
        case action(name: String, @Sendable (Bundle, ActionParameters) async throws -> any Sendable)
        case unknown(@Sendable (Bundle, String, ActionParameters) async throws -> any Sendable)
    }

    let target: String
    let body: Body
    /// Returns the parameters of the input, or nil for a closure that handles unknown actions.
    var input: (@Sendable () -> InputDeclaration)?

    /// The action's name, or nil for a closure that handles unknown actions.
    var name: String? {
        if case .action(let name, _) = body { name } else { nil }
    }
}
