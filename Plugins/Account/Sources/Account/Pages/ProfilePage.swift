internal import AccountInterface
internal import PluginCore

/// The page that shows a person and sends a greeting to its opener.
///
/// Its opener may pass a closure that receives the greeting, by the router as user info or by the mediator.
final class ProfilePage: Page {
    private let bundle: AccountBundle
    private let person: Person
    private let onGreeting: (@Sendable (String) async -> Void)?

    /// Creates the page of a person.
    ///
    /// - Throws: ``AtriumError`` with code `parameterType` for a closure of another type.
    init(_ bundle: AccountBundle, _ person: Person, parameters: ActionParameters) throws(AtriumError) {
        self.bundle = bundle
        self.person = person
        let isHeard = parameters.names.contains(AccountActions.onGreeting)
        onGreeting = isHeard ? try parameters.require(AccountActions.onGreeting) : nil
    }

    var title: String { bundle.texts.profileTitle }

    var content: [PageElement] {
        [
            .field(label: bundle.texts.profileName, value: person.name),
            .field(label: bundle.texts.profileAge, value: String(person.age)),
        ]
    }

    var actions: [PageAction] {
        PageAction("greet", title: bundle.texts.profileGreet) { _ in
            await onGreeting?(bundle.texts.profileGreeting(person.name, person.age))
        }
    }
}
