import OrdersInterface
import PluginCore
import PluginTestKit
import Testing

@testable import Orders

@Suite("The contract of the orders plugin", .tags(.medium))
@MainActor
struct ContractTests {
    @Test("The plugin provides exactly what its manifest declares")
    func manifest() async throws {
        let bench = try await Bench()
        _ = try await bench.mediator.perform(OrdersActions.place, OrderForm(item: "Desk lamp", price: 1999))
        let problems = await ManifestContract(bench.host.manifest).problems(
            of: bench.bundle, in: bench.host.context,
            samples: ["orders/:id": "app://orders/1", "orders/cancel/:id": "app://orders/cancel/1"]
        )
        #expect(problems == [])
    }

    @Test("The typed contracts match the routes of the manifest")
    func contracts() throws {
        let contract = ManifestContract(try PluginFolder().manifest(of: OrdersBundle.self))
        #expect(contract.problems(of: OrdersRoutes.list, samples: [NoValue()]) == [])
        #expect(contract.problems(of: OrdersRoutes.order, samples: [1, Int.max]) == [])
        #expect(contract.problems(of: OrdersRoutes.help, samples: [NoValue()]) == [])
        #expect(contract.problems(of: OrdersRoutes.cancel, samples: [1]) == [])
    }

    @Test("The pages with orders require the user to sign in")
    func guards() throws {
        let routes = try PluginFolder().manifest(of: OrdersBundle.self).routes.filter {
            $0.kind == .page && $0.layout == nil
        }
        #expect(routes.map(\.name) == ["list", "order"])
        #expect(routes.allSatisfy { $0.guards == ["Account.requireSignIn"] })
    }

    @Test("Every text is available in both languages")
    func strings() throws { #expect(try StringsContract(PluginFolder()).problems() == []) }

    @Test("The help page has a section about canceling")
    func help() async throws {
        let bench = try await Bench()
        let page = try await bench.page("app://orders/help")
        #expect(page.title == "About orders")
        let text = bench.bundle.texts.helpCancelText
        #expect(page.content.last == .section(title: "Canceling", [.text(text)]))
        try await page.perform("list", input: [:], on: FakeNavigator(showing: page))
        #expect(bench.router.openedAddresses == ["app://orders"])
    }
}
