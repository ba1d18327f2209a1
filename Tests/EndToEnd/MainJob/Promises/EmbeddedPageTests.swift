import PluginTestKit
import Testing

@Suite("Pages inside of other pages", .tags(.large))
struct EmbeddedPageTests {
    /// A plugin that shows the pages of addresses inside of its own, and crashes in its own content as version 1.9.0.
    private static let library = Task {
        try await compiled(
            swift: """
                final class Sample: BundleDelegate {
                    private let context: BundleContext
                    init(context: BundleContext) { self.context = context }

                    static var routes: some RouteSet<Sample> {
                        Page(RouteContract<NoValue, NoValue>("account", .page, name: "home")) { try await $0.home() }
                    }

                    private func home() async throws -> any Page {
                        if context.identity.version.minor == 9 { return Harm() }
                        var parts: [any Page] = []
                        var errors: [String] = []
                        for address in ["app://shop/item/42", "app://shop/about", "app://shop/price/42"] {
                            do {
                                parts.append(try await context.router.page(for: address))
                            } catch let error as AtriumError {
                                errors.append("\\(address): \\(error.code)")
                            }
                        }
                        let price = await context.router.canOpen(try ResourceURI("app://shop/price/42"))
                        errors.append("price: \\(price)")
                        return Frame(parts, errors)
                    }
                }

                final class Frame: Page {
                    private let parts: [any Page]
                    private let errors: [String]
                    init(_ parts: [any Page], _ errors: [String]) { (self.parts, self.errors) = (parts, errors) }
                    let title = "Frame"
                    var content: [PageElement] {
                        parts.flatMap { [.heading("Part " + $0.title)] + $0.content } + errors.map { .text($0) }
                    }
                }

                final class Harm: Page {
                    let title = "Harm"
                    var content: [PageElement] { fatalError() }
                }

                """)
    }

    private static func scene() async throws -> Scene {
        let scene = try Scene()
        let library = try await Self.library.value
        try scene.offer("1.1.0", with: library)
        return scene
    }

    @Test("A plugin shows the pages of another plugin inside of its own, and only its own page is on the stack")
    func embedded() async throws {
        let scene = try await Self.scene()
        try await scene.does("install", Scene.account)
        let shown = try await scene.does("open", "app://account").stdout
        #expect(shown.hasPrefix("Frame\n"), "\(shown)")
        #expect(shown.contains("Part Desk lamp") && shown.contains("Part About the shop"), "\(shown)")
        #expect(shown.contains("app://shop/price/42: routeKind") && shown.contains("price: true"), "\(shown)")
        // The shop was installed for its page.
        #expect(try await scene.does("list").stdout.contains(Scene.shop))
    }
}
