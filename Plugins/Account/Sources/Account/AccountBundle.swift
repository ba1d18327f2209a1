internal import AccountInterface
internal import PluginCore

/// Returns the plugin's description; this is the only symbol that the host looks up.
@c(plugin_entry_v1)
public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(AccountBundle.self) }

/// The account plugin, with the user's session and a page that greets a person.
final class AccountBundle: BundleDelegate {
    private var environment: AccountEnvironment?

    init() {}

    func bundleDidLoad(_ context: BundleContext) async throws {
        environment = AccountEnvironment(context: context, sessions: SessionStore(context: context))
    }

    func resource(for request: ResourceRequest) async throws -> Resource {
        guard let environment else {
            throw AtriumError(.resourceUnknown, request.name, detail: "Account is not loaded")
        }
        switch request.name {
        case "home": return .page(HomePage(environment))
        case "profile": return .page(try ProfilePage(environment, parameters: request.parameters))
        case "sign-in": return .page(SignInPage(environment))
        case "user": return .object(try environment.user(at: request.uri))
        default:
            throw AtriumError(
                .resourceUnknown, request.name, detail: "asked for by \(request.uri)",
                nearest: ["home", "profile", "sign-in", "user"]
            )
        }
    }

    func target(named name: String) -> ActionTarget? {
        guard let environment, name == AccountNames.target else { return nil }
        return environment.target
    }
}
