import PluginCore
import PluginRouter
import Testing

@Suite("Errors of a bundle's code", .tags(.small), .timeLimit(.minutes(1)))
@MainActor
struct FailureSourceTests {
    private struct Oops: Error, CustomStringConvertible {
        var description: String { "disk on fire" }
    }

    private let fixture: RouterFixture

    /// Notes fails in several ways, and Tags calls Notes.
    init() {
        let host = Slot<RouterFixture>()
        let routes = ["foreign", "own", "canceled", "page"].map {
            RouteDeclaration(pattern: $0, kind: $0 == "page" ? .page : .handler, name: $0)
        }
        var notes = FakeBundle(identifier: "org.acme.notes", routes: routes, targets: ["Notes"])
        notes.serve = { request in
            switch request.name {
            case "foreign": throw Oops()
            case "own": throw AtriumError(.init("noteEmpty"), "", message: "a note needs a text", remedy: "give one")
            case "canceled": throw CancellationError()
            default: .page(await TitledPage(title: "Notes"))
            }
        }
        notes.actions = [Action("add") { _ in throw Oops() }]
        var tags = FakeBundle(identifier: "org.acme.tags", routes: [.route("tags", .handler)], targets: ["Tags"])
        tags.serve = { _ in .object(try await #require(host.value).mediator.perform("fetch", on: "Tags")) }
        tags.actions = [Action("fetch") { _ in try await #require(host.value).router.open("app://foreign") }]
        fixture = RouterFixture(installed: [notes, tags])
        host.value = fixture
    }

    private func notes(_ request: String, _ chain: String...) -> AtriumError.Source {
        .init(bundle: "org.acme.notes@1.0.0", request: request, chain: chain)
    }

    @Test("An error names the bundle with its version and the address, and has a code that others can compare")
    func address() async {
        let error = await refusal { try await fixture.router.open("app://foreign") }
        #expect(error?.code == .pluginFailed)
        #expect(error?.subject == "org.acme.notes@1.0.0" && error?.reason == .verbatim("disk on fire"))
        #expect(error?.underlying is Oops)
        #expect(error?.source == notes("app://foreign", "app://foreign"))
    }

    @Test("An error names target and action, both on the first call and for a cached target")
    func action() async {
        for _ in 0..<2 {
            let error = await refusal { try await fixture.mediator.perform("add", on: "Notes") }
            #expect(error?.source == notes("Notes.add", "Notes.add"))
        }
    }

    @Test("An error names the bundle that failed first and the chain of requests, however many pass it on")
    func chain() async {
        let error = await refusal { try await fixture.router.open("app://tags") }
        #expect(error?.source == notes("app://foreign", "app://tags", "Tags.fetch", "app://foreign"))
    }

    @Test("An error keeps the code and the message that the bundle chose")
    func own() async {
        let error = await refusal { try await fixture.router.open("app://own") }
        #expect(error?.code.name == "noteEmpty" && error?.message == "a note needs a text")
        #expect(error?.remedy == "give one" && error?.source?.bundle == "org.acme.notes@1.0.0")
    }

    @Test("A cancellation error is not changed")
    func canceled() async {
        let error = await failure { try await fixture.router.open("app://canceled") }
        #expect(error is CancellationError)
    }

    @Test("An error of a page action names the bundle and, if known, the page's address")
    func page() async throws {
        try await fixture.router.open("app://page")
        let page = try #require(fixture.stack.pages.last)
        let lease = try await fixture.shelf.loaded("org.acme.notes").lease
        let error = lease.failure(Oops(), of: "howl", on: page) as? AtriumError
        #expect(error?.source == notes("the page action \"howl\" of app://page", "app://page", "howl"))
        let pushed = lease.failure(Oops(), of: "howl", on: TitledPage(title: "Other")) as? AtriumError
        #expect(pushed?.source == notes("the page action \"howl\"", "howl"))
        #expect(Lease(owner: "host").failure(Oops(), of: "howl", on: page) is Oops)
    }
}
