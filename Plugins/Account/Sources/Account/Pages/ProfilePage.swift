internal import AccountInterface
internal import PluginCore

/// The page that shows a person and sends a greeting to its opener.
///
/// An address and the mediator pass the same parameters: `name`, `age`, and optionally the closure `onGreeting`, which receives the
/// greeting.
final class ProfilePage: Page {
    let title = "C-2"
    private let environment: AccountEnvironment
    private let name: String
    private let age: Int
    private let onGreeting: (@Sendable (String) async -> Void)?

    /// Creates the page from its parameters.
    ///
    /// - Throws: ``AtriumError`` with code `parameterMissing` or `parameterType`.
    init(_ environment: AccountEnvironment, parameters: ActionParameters) throws(AtriumError) {
        self.environment = environment
        name = try parameters.require("name")
        age = try parameters.require("age")
        let isHeard = parameters.names.contains(AccountNames.onGreeting)
        onGreeting = isHeard ? try parameters.require(AccountNames.onGreeting) : nil
    }

    var content: [PageElement] {
        [
            .field(label: environment.strings.string("profile.name"), value: name),
            .field(label: environment.strings.string("profile.age"), value: String(age)),
        ]
    }

    var actions: [PageAction] { [PageAction("greet", title: environment.strings.string("profile.greet"))] }

    func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        guard action == "greet" else {
            throw AtriumError(.pageActionUnknown, action, nearest: actions.map(\.identifier))
        }
        await onGreeting?("\(name)\(age)岁啦")
    }
}
