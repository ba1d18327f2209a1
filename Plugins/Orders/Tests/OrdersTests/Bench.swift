import PluginCore
import PluginTestKit

@testable import Orders

/// The plugin loaded on its own, with a mediator that performs its actions as in a host.
@MainActor
struct Bench {
    let host: TestBundleContext
    let bundle: OrdersBundle

    init(language: String = "en", container: TestContainer? = nil) async throws {
        host = try TestBundleContext(of: OrdersBundle.self, language: language, container: container)
        bundle = try OrdersBundle(context: host.context)
        if let target = Principal(bundle).target(named: "Orders") { host.mediator.answer(with: target) }
    }

    var mediator: FakeMediator { host.mediator }
    var router: FakeRouter { host.router }

    func page(_ address: String) async throws -> any Page {
        try await host.page(at: address, of: bundle)
    }
}
