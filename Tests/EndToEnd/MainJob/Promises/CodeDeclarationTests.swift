import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    /// The manifests of the sample plugins' folders contain only what a person knows; the rest is in their code.
    @Suite("Routes and actions that only the code declares", .tags(.large))
    struct CodeDeclarationTests {
        private static let plugins = FilePath(#filePath).parent.parent.parent.parent.parent.appending("Plugins")

        private struct Inspection: Decodable {
            struct Route: Decodable {
                let pattern: String
                let guards: [String]
                let exposure: String
                let deadline: Double?
            }
            struct Target: Decodable {
                let name: String
                let actions: [String]
            }
            let routes: [Route]
            let targets: [Target]
            let services: [String]
        }

        private func inspection(_ package: String) async throws -> Inspection {
            let host = try HostApp.find()
            return try await host.bundletool.run("inspect", host.catalog.appending(package).string, "--json")
                .json(as: Inspection.self)
        }

        @Test(
            "A package's manifest contains the routes, actions and services of the code, with their guards and deadlines"
        )
        func packed() async throws {
            let source = Self.plugins.appending("Orders/manifest.json").string
            let text = String(decoding: try Data(contentsOf: URL(filePath: source)), as: UTF8.self)
            #expect(!text.contains("guards") && !text.contains("targets") && !text.contains("services"))
            let packed = try await inspection("\(orders)-1.0.0.zip")
            #expect(Set(packed.routes.map(\.pattern)) == ["orders", "orders/:id", "orders/help", "orders/cancel/:id"])
            let guarded = packed.routes.filter { $0.guards == ["Account.requireSignIn"] }
            #expect(guarded.map(\.pattern) == ["orders", "orders/:id"])
            #expect(packed.targets.map(\.name) == ["Orders"] && packed.targets.map(\.actions) == [["place", "count"]])
            #expect(packed.services == ["Spending"])
        }

        @Test("Each release's package has the routes of its own code, and the exposures of its own manifest")
        func releases() async throws {
            let (first, second) = (try await inspection("\(shop)-1.0.0.zip"), try await inspection("\(shop)-1.1.0.zip"))
            #expect(!first.routes.contains { $0.pattern == "shop/deals" })
            #expect(second.routes.contains { $0.pattern == "shop/deals" })
            for release in [first, second] {
                #expect(release.routes.first { $0.pattern == "shop/price/:id" }?.deadline == 5)
            }
            #expect(first.routes.allSatisfy { $0.exposure == "plugins" })
            #expect(second.routes.filter { $0.exposure == "external" }.map(\.pattern) == ["shop", "shop/item/:id"])
        }

        @Test("A host asks a guard that only the code names before it loads the code")
        func guarded() async throws {
            let fixture = try await HostFixture(with: orders)
            #expect(try await fixture.open("app://orders").page?.title == "Sign in")
        }

        @Test("A difference between manifest and code is an error of pack that names both sides")
        func planted() async throws {
            let folder = try ThrowawayFolder()
            let host = try HostApp.find()
            let package = try PackageEditor(host.catalog.appending("\(account)-1.0.0.zip"))
            for file in package.fileNames where file.hasPrefix("Resources/") {
                try folder.write(try package.bytes(of: file), to: "Account/\(file)")
            }
            let library = try #require(package.fileNames.first { $0.hasSuffix(".so") })
            let built = try folder.write(try package.bytes(of: library), to: "libAccount.so")
            let source = Self.plugins.appending("Account/manifest.json").string
            let text = String(decoding: try Data(contentsOf: URL(filePath: source)), as: UTF8.self)
            let planted = text.replacing(
                "\"routes\": [", with: #""routes": [{ "pattern": "account/user", "page": "user", "priority": 2 }, "#)
            try #require(planted != text)
            try folder.write(planted, to: "Account/manifest.json")
            let result = try await host.bundletool.run(
                "pack", folder.appending("Account").string, "--library", built.string, "--output",
                folder.appending("out").string)
            #expect(result.status == 65 && result.stdout == "", "\(result)")
            #expect(
                result.stderr.contains(
                    "routes[0].page: manifest.json says page \"user\", but the code says object \"user\""))
            #expect(result.stderr.contains("routes[0].priority: manifest.json says 2, but the code says 0"))
            #expect(!folder.contains("out"))
        }
    }
}
