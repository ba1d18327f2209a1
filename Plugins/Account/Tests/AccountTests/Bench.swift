import PluginCore
import PluginTestKit

@testable import Account

/// The plugin loaded on its own, with a mediator that performs its actions as in a host.
@MainActor
struct Bench {
    let host: TestBundleContext
    let bundle: AccountBundle

    init(language: String = "en", container: TestContainer? = nil) async throws {
        host = try TestBundleContext(of: AccountBundle.self, language: language, container: container)
        bundle = AccountBundle(context: host.context)
        if let target = Principal(bundle).target(named: "Account") { host.mediator.answer(with: target) }
    }

    var mediator: FakeMediator { host.mediator }
    var router: FakeRouter { host.router }

    func page(_ address: String, userInfo: ActionParameters = [:]) async throws -> any Page {
        try await host.page(at: address, of: bundle, userInfo: userInfo)
    }

    /// Fills in the sign-in page as a user does.
    func signIn(_ name: String) async throws {
        try await page("app://account/sign-in").perform("signIn", input: ["name": name], on: FakeNavigator())
    }
}
