internal import AccountInterface
internal import PluginCore

/// "C-2": shows a person, and greets them through whoever opened the page.
///
/// Its parameters are the same whether they come out of an address or from the mediator: `name`, `age`, and for callers
/// that want to hear the greeting, the closure `onGreeting`.
final class ProfilePage: Page {
    let title = "C-2"
    private let environment: AccountEnvironment
    private let name: String
    private let age: Int
    private let onGreeting: (@Sendable (String) async -> Void)?

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
