import PluginCore
import PluginRouter
import Synchronization
import Testing

@Suite("An error out of a bundle's code", .timeLimit(.minutes(1)))
@MainActor
struct FailureSourceTests {
    private struct Oops: Error, CustomStringConvertible {
        var description: String { "disk on fire" }
    }

    private final class Access: Sendable {
        let house = Mutex<House?>(nil)
        func router() throws -> any Routing { try #require(house.withLock { $0 }).router }
        func mediator() throws -> any Mediating { try #require(house.withLock { $0 }).mediator }
    }

    private let house: House

    /// Notes fails in each way; Tags asks Notes.
    init() {
        let access = Access()
        let routes = ["foreign", "own", "cancelled", "page"].map {
            RouteDeclaration(pattern: $0, kind: $0 == "page" ? .page : .handler, name: $0)
        }
        var notes = FakeBundle(identifier: "org.acme.notes", routes: routes, targets: ["Notes"])
        notes.serve = { request in
            switch request.name {
            case "foreign": throw Oops()
            case "own": throw AtriumError(.init("noteEmpty"), "", message: "a note needs a text", remedy: "give one")
            case "cancelled": throw CancellationError()
            default: .page(await TitledPage(title: "Notes"))
            }
        }
        notes.actions = [Action("add") { _ in throw Oops() }]
        var tags = FakeBundle(
            identifier: "org.acme.tags", routes: [RouteDeclaration(pattern: "tags", kind: .handler, name: "tags")],
            targets: ["Tags"])
        tags.serve = { _ in .object(try await access.mediator().perform("fetch", on: "Tags")) }
        tags.actions = [Action("fetch") { _ in try await access.router().open("app://foreign") }]
        house = House(installed: [notes, tags])
        access.house.withLock { $0 = house }
    }

    private func error(_ body: () async throws -> Void) async -> AtriumError? { await failure(body) as? AtriumError }

    @Test("names the bundle with its version and the address, and is of a code that another bundle can compare")
    func address() async {
        let error = await error { try await house.router.open("app://foreign") }
        #expect(error?.code == .pluginFailed)
        #expect(error?.subject == "org.acme.notes@1.0.0" && error?.detail == "disk on fire")
        #expect(error?.underlying is Oops)
        #expect(
            error?.source
                == .init(bundle: "org.acme.notes@1.0.0", request: "app://foreign", chain: ["app://foreign"]))
    }

    @Test("names target and action, at the first call and when the target is remembered")
    func action() async {
        for _ in 0..<2 {
            let error = await error { _ = try await house.mediator.perform("add", on: "Notes") }
            #expect(
                error?.source == .init(bundle: "org.acme.notes@1.0.0", request: "Notes.add", chain: ["Notes.add"]))
        }
    }

    @Test("names the bundle that failed first, and the requests that led there, however many pass it on")
    func chain() async {
        let error = await error { try await house.router.open("app://tags") }
        #expect(
            error?.source
                == .init(
                    bundle: "org.acme.notes@1.0.0", request: "app://foreign",
                    chain: ["app://tags", "Tags.fetch", "app://foreign"]))
    }

    @Test("keeps the code and the words that the bundle chose")
    func own() async {
        let error = await error { try await house.router.open("app://own") }
        #expect(error?.code.name == "noteEmpty" && error?.message == "a note needs a text")
        #expect(error?.remedy == "give one" && error?.source?.bundle == "org.acme.notes@1.0.0")
    }

    @Test("stays a cancellation when it is one")
    func cancelled() async {
        let error = await failure { try await house.router.open("app://cancelled") }
        #expect(error is CancellationError)
    }

    @Test("names the bundle and the page's address, where that is known, when an action of a page throws it")
    func page() async throws {
        try await house.router.open("app://page")
        let page = try #require(house.stack.pages.last)
        let lease = try await house.shelf.loaded("org.acme.notes").lease
        let error = lease.failure(Oops(), of: "howl", on: page) as? AtriumError
        #expect(
            error?.source
                == .init(
                    bundle: "org.acme.notes@1.0.0", request: "the page action \"howl\" of app://page",
                    chain: ["app://page", "howl"]))
        let pushed = lease.failure(Oops(), of: "howl", on: TitledPage(title: "Other")) as? AtriumError
        #expect(
            pushed?.source
                == .init(bundle: "org.acme.notes@1.0.0", request: "the page action \"howl\"", chain: ["howl"]))
        #expect(Lease(owner: "host").failure(Oops(), of: "howl", on: page) is Oops)
    }
}
