import PluginCore
import PluginTestKit

@testable import Shop

/// The plugin loaded on its own.
@MainActor
struct Bench {
    let host: TestBundleContext
    let bundle: ShopBundle

    init(language: String = "en") async throws {
        host = try TestBundleContext(of: ShopBundle.self, language: language)
        bundle = try ShopBundle(context: host.context)
    }

    var mediator: FakeMediator { host.mediator }
    var router: FakeRouter { host.router }

    func page(_ address: String) async throws -> any Page {
        try await host.page(at: address, of: bundle)
    }
}
