import PluginCore
import Testing

private struct Link: Codable, Hashable, Sendable {
    var id: Int
    var from: String?
}

/// A type of the Interface that no standard-library type can replace, so that it crosses as a coded value.
private struct Order: Codable, Hashable, Sendable {
    var item: String
    var tags: [String] = []
}

private enum Routes {
    static let home = PageRoute<NoValue>("shop", name: "home")
    static let item = PageRoute<Link>("shop/item/:id")
    static let price = ValueRoute<Int, Int>("shop/price/:id")
    static let name = ValueRoute<NoValue, String>("shop/name")
    static let clear = HandlerRoute<NoValue, NoValue>("shop/clear")
    static let cancel = HandlerRoute<Int, NoValue>("shop/cancel/:id")
    static let buy = HandlerRoute<Int, Order>("shop/buy/:id")
}

private enum Actions {
    static let isOpen = ActionContract<NoValue, Bool>("isOpen", on: "Shop")
    static let place = ActionContract<Order, Order>("place", on: "Shop")
    static let double = ActionContract<Int, Int>("double", on: "Shop")
    static let user = ActionContract<NoValue, String?>("user", on: "Shop")
    static let page = ActionContract<Link, any Page>("page", on: "Shop")
    static let adder = ActionContract<Int, @Sendable (Int) -> Int>(uncoded: "adder", on: "Shop")
    static let clear = ActionContract<NoValue, NoValue>("clear", on: "Till")
    static let tell = ActionContract<NoValue, NoValue>("tell", on: "Till")
}

private enum Services {
    static let greeter = ServiceContract<@Sendable (String) async -> String>("Greeting")
}

private final class ItemPage: Page {
    let title: String
    let content: [PageElement] = []
    init(_ title: String) { self.title = title }
}

private final class Shop: BundleDelegate {
    var log: [String] = []

    init(context: BundleContext) async throws {}

    static var routes: some RouteSet<Shop> {
        Route(Routes.home) { _ in ItemPage("home") }
            .priority(3)
            .deadline(.milliseconds(2500))
            .guarded(by: Actions.isOpen)
            .accepting { _, request in request.origin == .host }
        Route(Routes.item) { _, link, request in
            ItemPage("\(link.id) from \(link.from ?? "nowhere") by \(request.origin)")
        }
        Route(Routes.price) { _, id in id * 100 }
        Route(Routes.name) { shop in "shop" }
        Route(Routes.clear) { shop in shop.log.append("clear") }
        Route(Routes.cancel) { shop, id in
            guard id > 0 else { throw AtriumError(.resourceUnknown, "\(id)") }
            shop.log.append("cancel \(id)")
        }
        Route(Routes.buy) { _, id in Order(item: "\(id)", tags: ["new"]) }
    }

    static var targets: some TargetSet<Shop> {
        Action(Actions.isOpen) { _ in true }
        Action(Actions.place) { _, order in Order(item: order.item + "!", tags: order.tags) }
        Action(Actions.double) { _, number in number * 2 }
        Action(Actions.user) { _ in nil }
        Action(Actions.page) { _, link in await ItemPage("\(link.id)") }
        Action(Actions.adder) { _, one in { $0 + one } }
        Action(Actions.clear) { shop in await shop.add("clear") }
        UnknownAction(of: "Shop") { _, name, _ in "no \(name)" }
        Action(Actions.tell) { shop, _, parameters in
            let tell = try parameters.require("tell", as: (@Sendable (String) -> Void).self)
            tell("told")
        }
    }

    static var services: some ServiceSet<Shop> {
        Service(Services.greeter) { _ in { "Hello, \($0)" } }
    }

    static var events: [EventDeclaration] {
        Event<Int>("Shop.sold")
        Event<[String: Int]>("Shop.counted")
    }

    func add(_ line: String) { log.append(line) }
}

@Suite("Bindings of contracts", .tags(.small))
@MainActor
struct BindingTests {
    private let principal: Principal

    init() async throws { principal = try await PrincipalType(Shop.self).start(.forTests()) }

    private func request(_ name: String, captures: URIParameters = [], query: String = "") throws -> ResourceRequest {
        ResourceRequest(uri: try ResourceURI("app://x\(query)"), name: name, captures: captures, origin: .external)
    }

    @Test("The declarations of a plugin are known without its principal object")
    func declarations() {
        let declared = PrincipalType(Shop.self).declarations
        #expect(
            declared.routes.map(\.pattern) == [
                "shop", "shop/item/:id", "shop/price/:id", "shop/name", "shop/clear", "shop/cancel/:id", "shop/buy/:id",
            ])
        #expect(
            declared.routes[0]
                == RouteDeclaration(
                    pattern: "shop", kind: .page, name: "home", guards: ["Shop.isOpen"], priority: 3, deadline: 2.5,
                    mayDecline: true))
        #expect(
            declared.routes[2] == RouteDeclaration(pattern: "shop/price/:id", kind: .object, name: "shop/price/:id"))
        #expect(
            declared.targets == [
                TargetDeclaration(name: "Shop", actions: ["isOpen", "place", "double", "user", "page", "adder"]),
                TargetDeclaration(name: "Till", actions: ["clear", "tell"]),
            ])
        #expect(declared.services == ["Greeting"])
        #expect(
            declared.events == [
                EventDeclaration(name: "Shop.sold", payload: "Int"),
                EventDeclaration(name: "Shop.counted", payload: "Dictionary<String, Int>"),
            ])
        #expect(declared.problems == [])
    }

    @Test("A page gets its decoded input and the request")
    func page() async throws {
        let request = try request("shop/item/:id", captures: ["id": "42"], query: "?from=mail")
        #expect(try await principal.resource(for: request).page?.title == "42 from mail by external link")
    }

    @Test("The input of a route is checked before its closure runs")
    func input() async throws {
        let error = await refusal {
            _ = try await principal.resource(for: request("shop/price/:id", captures: ["id": "lamp"]))
        }
        #expect(error?.code == .parameterType && error?.subject == "id")
    }

    @Test("Objects and handlers return values in the form in which they cross to other plugins")
    func values() async throws {
        func value(_ name: String, _ captures: URIParameters = []) async throws -> any Sendable {
            try #require(try await principal.resource(for: request(name, captures: captures)).object)
        }
        #expect(try await value("shop/price/:id", ["id": "7"]) as? Int == 700)
        #expect(try await value("shop/name") as? String == "shop")
        #expect(try await value("shop/cancel/:id", ["id": "7"]) is Void)
        #expect(try await value("shop/clear") is Void)
        #expect(
            try await (value("shop/buy/:id", ["id": "7"]) as? CodedValue)?.value() == Order(item: "7", tags: ["new"]))
        #expect((principal.object as? Shop)?.log == ["cancel 7", "clear"])
    }

    @Test("The error of a closure is passed on")
    func failing() async throws {
        let error = await refusal {
            _ = try await principal.resource(for: request("shop/cancel/:id", captures: ["id": "0"]))
        }
        #expect(error?.code == .resourceUnknown && error?.subject == "0")
    }

    @Test("A route accepts every request unless its binding declines it")
    func accepting() async throws {
        #expect(await principal.accepts(try request("shop/name")))
        #expect(await !principal.accepts(try request("home")))
        #expect(
            await principal.accepts(ResourceRequest(uri: try ResourceURI("app://shop"), name: "home", origin: .host)))
    }

    @Test("A name that is not declared is unknown, and the error suggests the nearest one")
    func unknown() async throws {
        let error = await refusal { try await principal.resource(for: request("shop/nmae")) }
        #expect(error?.code == .resourceUnknown && error?.nearest.first == "shop/name")
        #expect(principal.target(named: "Shpo") == nil)
    }

    @Test("An action gets its decoded input and returns its output to the caller")
    func actions() async throws {
        let mediator = NoMediator(target: principal.target(named: "Shop"))
        #expect(try await mediator.perform(Actions.isOpen))
        #expect(try await mediator.perform(Actions.double, 21) == 42)
        #expect(try await mediator.perform(Actions.user) == nil)
        for tags in [[], ["a"], ["a", "b"]] {
            #expect(
                try await mediator.perform(Actions.place, Order(item: "lamp", tags: tags))
                    == Order(item: "lamp!", tags: tags))
        }
        #expect(try await mediator.perform(Actions.page, Link(id: 7)).title == "7")
        #expect(try await mediator.perform(Actions.adder, 40)(2) == 42)
        #expect(try await mediator.perform("double", on: "Shop", ["value": "4"], returning: Int.self) == 8)
    }

    @Test("An action without result runs, and one that needs a closure finds it beside its input")
    func userInfo() async throws {
        let mediator = NoMediator(target: principal.target(named: "Till"))
        try await mediator.perform(Actions.clear)
        #expect((principal.object as? Shop)?.log == ["clear"])
        try await confirmation { told in
            let tell: @Sendable (String) -> Void = { text in if text == "told" { told() } }
            try await mediator.perform(Actions.tell, userInfo: ["tell": tell])
        }
    }

    @Test("An action rejects a call without a parameter that its input needs")
    func missingParameter() async throws {
        let mediator = NoMediator(target: principal.target(named: "Shop"))
        let error = await refusal { try await mediator.perform("place", on: "Shop") }
        #expect(error?.code == .parameterMissing && error?.subject == "item")
    }

    @Test("A result of another type is an error that names the action")
    func otherResult() async throws {
        let other = ActionTarget("Shop", actions: [Action("double") { _ in "two" }, Action("page") { _ in 1 }])
        let mediator = NoMediator(target: other)
        let number = await refusal { try await mediator.perform(Actions.double, 1) }
        #expect(number?.code == .resultType && number?.subject == "Shop.double")
        let page = await refusal { try await mediator.perform(Actions.page, Link(id: 1)) }
        #expect(page?.code == .resultType && page?.subject == "Shop.page")
    }

    @Test("A target handles the actions that it does not have if it binds a closure for them")
    func notFound() async throws {
        let handle = try #require(principal.target(named: "Shop")?.notFound)
        #expect(try await handle("fly", [:]) as? String == "no fly")
        #expect(principal.target(named: "Till")?.notFound == nil)
    }

    @Test("The services of a plugin are provided when it starts")
    func services() async throws {
        let services = RecordedServices()
        _ = try await PrincipalType(Shop.self).start(.forTests(services: services))
        #expect(try await services.service(Services.greeter)("Ann") == "Hello, Ann")
    }

    @Test("A plugin that binds nothing declares nothing")
    func nothing() async throws {
        final class Empty: BundleDelegate { init(context: BundleContext) {} }
        let declared = PrincipalType(Empty.self).declarations
        #expect(declared.routes.isEmpty && declared.targets.isEmpty && declared.services.isEmpty)
        #expect(try await PrincipalType(Empty.self).start(.forTests()).target(named: "Shop") == nil)
    }

    @Test("Names that are bound twice are reported")
    func problems() {
        final class Confused: BundleDelegate {
            init(context: BundleContext) {}
            static var routes: some RouteSet<Confused> {
                for _ in 1...2 { Route(Routes.home) { _ in ItemPage("home") } }
                if Bool("true") == true { Route(PageRoute<NoValue>("other", name: "home")) { _ in ItemPage("other") } }
            }
            static var targets: some TargetSet<Confused> {
                Action(Actions.double) { _, number in number }
                if Bool("true") == true {
                    Action(Actions.double) { _, number in number }
                } else {
                    Action(Actions.isOpen) { _ in true }
                }
            }
        }
        #expect(
            PrincipalType(Confused.self).declarations.problems == [
                "route shop is bound twice", "route name home is bound twice", "action Shop.double is bound twice",
            ])
    }
}
