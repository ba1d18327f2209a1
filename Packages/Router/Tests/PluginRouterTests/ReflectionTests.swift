import PageLayouts
import PluginCore
import PluginRouter
import Testing

@Suite("Reflection on a bundle's context", .tags(.small))
@MainActor
struct ReflectionTests {
    /// Returns the paths and types of all values of the host's own types that reflection finds in a value.
    private static func hostsOwn(in root: Any, at path: String) -> [String] {
        var seen: Set<ObjectIdentifier> = []
        func walk(_ value: Any, _ path: String) -> [String] {
            let type = type(of: value)
            if type is AnyClass, !seen.insert(ObjectIdentifier(value as AnyObject)).inserted { return [] }
            let name = String(reflecting: type)
            var found = name.contains("PluginRouter.") ? ["\(path): \(name)"] : []
            var mirror: Mirror? = Mirror(reflecting: value)
            while let here = mirror {
                for child in here.children { found += walk(child.value, "\(path).\(child.label ?? "_")") }
                mirror = here.superclassMirror
            }
            return found
        }
        return walk(root, path)
    }

    private let fixture = RouterFixture(installed: [
        FakeBundle(identifier: "pages", routes: [.route("pages/one", .page, "one", layout: "Main/one")])
    ])
    private let context: BundleContext

    init() {
        context = BundleContext.forTests("com.example.shop", in: fixture)
    }

    @Test("Reflection on a bundle's context leads to nothing of the host")
    func members() {
        // The objects that the bundle calls are of the host's types, but have empty mirrors.
        #expect(
            Self.hostsOwn(in: context, at: "context").sorted() == [
                "context.events: PluginRouter.EventExchange", "context.mediator: PluginRouter.Mediator",
                "context.router: PluginRouter.Router", "context.services: PluginRouter.ServiceExchange",
            ])
    }

    @Test("Reflection on the results of calls leads to nothing of the host")
    func returned() async throws {
        let observation = try context.events.observe("E", priority: 0) { _ in }
        #expect(Self.hostsOwn(in: observation, at: "observation").isEmpty)
        #expect(Self.hostsOwn(in: try await context.router.open("app://pages/one"), at: "outcome").isEmpty)
        let page = try #require(fixture.stack.pages.last)
        #expect(page is LayoutPage)
        #expect(Self.hostsOwn(in: page, at: "page").isEmpty)
        let error = await refusal { try await context.router.open("app://nowhere") }
        #expect(Self.hostsOwn(in: try #require(error), at: "error").isEmpty)
    }
}

struct NoDefaults: DefaultsStore {
    func values() -> DefaultsValues { DefaultsValues() }
    func change(_ body: (inout DefaultsValues) throws -> Void) throws {}
}
