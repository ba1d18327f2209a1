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
                            Route(PageRoute<NoValue>("sample", name: "sample")) { _ in SamplePage() }
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
    }
}
