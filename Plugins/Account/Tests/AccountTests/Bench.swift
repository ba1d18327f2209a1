import PluginCore
import PluginTestKit

@testable import Account

/// The plugin, loaded alone; its own target answers the mediator, as in a host.
@MainActor
struct Bench {
    let host: TestBundleContext
    let bundle = AccountBundle()

    init(language: String = "en", container: TestContainer? = nil) async throws {
        host = try TestBundleContext(language: language, container: container)
        try await bundle.bundleDidLoad(host.context)
        if let target = bundle.target(named: "Account") { host.mediator.answer(with: target) }
    }

    var mediator: FakeMediator { host.mediator }
    var router: FakeRouter { host.router }

    func page(_ address: String, userInfo: ActionParameters = [:]) async throws -> any Page {
        try await host.page(at: address, of: bundle, userInfo: userInfo)
    }

    /// Fills the sign-in page in, as a user would.
    func signIn(_ name: String) async throws {
        try await page("app://account/sign-in").perform("signIn", input: ["name": name], on: FakeNavigator())
    }
}
