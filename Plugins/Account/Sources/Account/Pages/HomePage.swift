internal import AccountInterface
internal import PluginCore

/// The page that shows who is signed in.
final class HomePage: Page {
    private let environment: AccountEnvironment

    init(_ environment: AccountEnvironment) {
        self.environment = environment
    }

    var title: String { environment.strings.string("home.title") }

    var content: [PageElement] {
        guard let user = environment.sessions.user else { return [.text(environment.strings.string("home.signedOut"))] }
        return [.text(environment.strings.string("home.signedInAs", user))]
    }

    var actions: [PageAction] {
        environment.sessions.user == nil
            ? [PageAction("signIn", title: environment.strings.string("home.signIn"))]
            : [PageAction("signOut", title: environment.strings.string("home.signOut"))]
    }

    func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        switch action {
        case "signIn": try await environment.context.router.open(AccountNames.signInAddress)
        case "signOut": try environment.sessions.signOut()
        default: throw AtriumError(.pageActionUnknown, action, nearest: actions.map(\.identifier))
        }
    }
}
