import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Listing and explaining routes", .tags(.large))
    struct RoutesTests {
        @Test("In a session, the routes that running code has registered are listed and explained")
        func registered() async throws {
            let sample = "com.example.app.sample"
            let library = try await compiled(
                swift: """
                    final class Sample: BundleDelegate {
                        init(context: BundleContext) async throws {
                            for pattern in ["**", "sample/:x"] {
                                try await context.router.register(
                                    pattern, kind: .handler, options: RouteOptions(priority: .max)
                                ) { _ in .object("code") }
                            }
                        }
                        static var routes: some RouteSet<Sample> {
                            Page(RouteContract("sample", .page, name: "sample")) { _ in SamplePage() }
                        }
                    }

                    """)
            let scene = try Scene(with: library, pages: ["sample": "sample"], as: sample)
            let lines = [
                "open app://sample", "route explain app://sample/x", "route explain app://nobody/there", "routes",
            ]
            let result = try await scene.host.run("shell", input: lines.joined(separator: "\n") + "\n")
            #expect(result.status == 0, "\(result)")
            #expect(result.stdout.contains("app://sample/x goes to sample/:x of \(sample)"), "\(result)")
            #expect(result.stdout.contains("app://nobody/there goes to ** of \(sample)"), "\(result)")
            #expect(result.lines.contains { $0.hasPrefix("**") && $0.contains("its code") }, "\(result)")
        }

        @Test("An explanation neither loads code nor installs plugins, and names what would be installed")
        func explanation() async throws {
            let fixture = try Scene()
            let quiet = try await fixture.answer("route", "explain", "app://shop/item/1")
            #expect(quiet.supplier.string == shop && quiet.pattern == .null)
            #expect(try FileTree(of: fixture.sandbox.root).files.isEmpty)
            try await fixture.run("install", orders)
            let lines = try await fixture.answer("routes").routes.elements
            let asking = lines.filter { $0.interceptors == ["Account.requireSignIn"] }
            #expect(asking.map(\.pattern) == ["orders", "orders/:id"])
            #expect(lines.filter { $0.source == "bundle.json" }.count == 2)
            let guarded = try await fixture.answer("route", "explain", "app://orders/7?a=b")
            #expect(guarded.pattern == "orders/:id" && guarded.parameters == .object(["id": "7"]))
            #expect(guarded.interceptors == ["Account.requireSignIn"])
            let outside = try await fixture.answer(
                "route", "explain", "app://orders/7", "--external")
            #expect(outside.pattern == .null && outside.candidates.elements.first?.outcome == "exposure")
        }
    }
}
