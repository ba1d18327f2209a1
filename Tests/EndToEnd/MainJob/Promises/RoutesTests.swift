import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Listing and explaining routes", .tags(.large))
    struct RoutesTests {
        private struct Listing: Decodable {
            struct Line: Decodable {
                let pattern: String
                let source: String
                let owner: String
                let exposure: String
                let interceptors: [String]
            }
            let routes: [Line]
        }

        private struct Difference: Decodable {
            let added: [Listing.Line]
            let removed: [Listing.Line]
        }

        @Test("The routes of plugins and of bundle.json are listed with owners and interceptors")
        func listing() async throws {
            let fixture = try await HostFixture(with: shop, orders)
            let listing = try await fixture.answer("routes", as: Listing.self)
            let guarded = listing.routes.filter { $0.interceptors == ["Account.requireSignIn"] }
            #expect(guarded.map(\.pattern) == ["orders", "orders/:id"])
            #expect(guarded.allSatisfy { $0.owner == orders })
            #expect(
                listing.routes.filter { $0.source == "bundle.json" }.map(\.pattern) == ["shop/answer", "shop/welcome"])
        }

        private static let registering = Task {
            try await compiled(
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
                            Handler(RouteContract<NoValue, String>("sample", .handler)) { _ in "sample" }
                        }
                    }

                    """)
        }

        @Test("In a session, the routes that running code has registered are listed and explained")
        func registered() async throws {
            let scene = try Scene()
            let library = try await Self.registering.value
            try scene.change(Scene.account) { package in
                try package.rename(identifier: "com.example.app.sample")
                try package.setManifest("targets", to: "[]")
                try package.setManifest("routes", to: #"[{"pattern": "sample", "handler": "sample"}]"#)
                package.set(LibraryTests.library, to: library)
            }
            let lines = [
                "open app://sample", "route explain app://sample/x", "route explain app://nobody/there", "routes",
            ]
            let result = try await scene.host.run("shell", input: lines.joined(separator: "\n") + "\n")
            #expect(result.status == 0, "\(result)")
            #expect(result.stdout.contains("app://sample/x goes to sample/:x of com.example.app.sample"), "\(result)")
            #expect(result.stdout.contains("app://nobody/there goes to ** of com.example.app.sample"), "\(result)")
            #expect(result.lines.contains { $0.hasPrefix("**") && $0.contains("its code") }, "\(result)")
        }

        @Test("The routes can be compared with an earlier listing, which shows the effect of an update")
        func difference() async throws {
            let fixture = try await HostFixture(with: "\(shop)@1.0.0")
            let folder = try ThrowawayFolder()
            let old = folder.path.appending("old.json")
            let before = try await fixture.run("routes", "--json")
            try Data(before.stdout.utf8).write(to: URL(filePath: old.string))
            #expect(try await fixture.run("routes", "--diff", old.string).stdout == "No route differs.\n")

            try await fixture.run("update", shop)
            let after = try await fixture.host.run("routes", "--diff", old.string)
            #expect(after.status == 1)
            #expect(after.stdout.contains("+ shop/deals  page of \(shop)\n"), "\(after)")
            let json = try await fixture.host.run("routes", "--diff", old.string, "--json")
            #expect(json.status == 1)
            let difference = try json.json(as: Difference.self)
            #expect(difference.added.contains { $0.pattern == "shop/deals" } && difference.removed.isEmpty)
        }

        private struct Explanation: Decodable {
            struct Candidate: Decodable {
                let pattern: String
                let outcome: String
            }
            let pattern: String?
            let owner: String?
            let parameters: [String: String]?
            let interceptors: [String]
            let supplier: String?
            let candidates: [Candidate]
        }

        @Test("An explanation names the matching route, its captures, its guards, and why other routes lost")
        func explanation() async throws {
            let fixture = try await HostFixture(with: orders)
            let explanation = try await fixture.answer("route", "explain", "app://orders/help", as: Explanation.self)
            #expect(explanation.pattern == "orders/help" && explanation.owner == orders)
            let outcomes = explanation.candidates.map { "\($0.pattern) \($0.outcome)" }
            #expect(
                outcomes == [
                    "orders/help wins", "orders/:id specificity", "orders mismatch", "orders/cancel/:id mismatch",
                ])
            let guarded = try await fixture.answer("route", "explain", "app://orders/7?a=b", as: Explanation.self)
            #expect(guarded.interceptors == ["Account.requireSignIn"] && guarded.parameters == ["id": "7"])
            let outside = try await fixture.answer(
                "route", "explain", "app://orders/7", "--external", as: Explanation.self)
            #expect(outside.pattern == nil && outside.candidates.first?.outcome == "exposure")
        }

        @Test("An explanation neither loads code nor installs plugins")
        func explanationIsQuiet() async throws {
            let fixture = try HostFixture()
            let explanation = try await fixture.answer("route", "explain", "app://shop/item/1", as: Explanation.self)
            #expect(explanation.supplier == shop && explanation.pattern == nil)
            #expect(try FileTree(of: fixture.sandbox.root).files.isEmpty)
        }
    }
}
