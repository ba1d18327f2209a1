import Foundation
import PluginCore
import PluginTestKit
import FaultInjection
import TestServer
import Testing

@Suite("The app as a whole", .tags(.large), .timeLimit(.minutes(10)))
struct WholeAppTests {
    private struct Listing: Decodable {
        struct Bundle: Decodable, Hashable {
            let identifier: String
            let version: String
            let sealSHA256: String
        }

        let bundles: [Bundle]
    }

    private static func composition(_ bundles: String, _ fields: String = "") -> String {
        #"{"formatVersion": 1, "name": "Sample", \#(fields)"bundles": [\#(bundles)]}"#
    }

    private static let members = """
        {"uri": "shop", "pkg": "com.example.app.shop", "version": "^1.0.0"},
        {"uri": "account", "pkg": "com.example.app.account"}
        """

    private func installed(_ host: Executable) async throws -> Set<Listing.Bundle> {
        Set(try await host.run("list", "--json").json(as: Listing.self).bundles)
    }

    @Test("One lock makes the same app in two sandboxes, although a newer release was published in between")
    func reproducible() async throws {
        let fixture = try await PublishedFixture()
        try await fixture.publishPackages("shop-1.0.0", "lib.money", "account", "orders")
        let server = try await fixture.serve()
        let file = try fixture.folder.write(
            Self.composition(Self.members, #""version": "1.0.0", "#), to: "app/bundle.json")
        let first = try await fixture.run("app", "install", "--composition", file.string)
        #expect(first.stdout.contains("Locked Sample 1.0.0"), "\(first)")
        let app = try await installed(fixture.hostapp)
        #expect(app.contains { $0.identifier == Scene.shop && $0.version == "1.0.0" })

        try await fixture.publishPackages("shop-1.1.0")
        let other = try ThrowawaySandbox()
        let host = Executable(fixture.build.build.appending("bin/hostapp"), leading: ["--sandbox", other.root.string])
        let added = try await host.run("catalog", "add", "site", server.address, "--root", fixture.root.string)
        try #require(added.status == 0, "\(added)")
        let second = try await host.run("app", "install", "--composition", file.string)
        #expect(second.status == 0, "\(second)")
        #expect(try await installed(host) == app)
        #expect(try await host.run("app", "status", "--composition", file.string).status == 0)

        try await fixture.run("catalog", "refresh")
        let update = try await fixture.run("app", "update", "--composition", file.string)
        #expect(update.stdout.contains("\(Scene.shop)@1.1.0"), "\(update)")
        #expect(try await host.run("catalog", "refresh").status == 0)
        let status = try await host.run("app", "status", "--composition", file.string)
        #expect(status.status == 1 && status.stdout.contains("different"), "\(status)")
        #expect(try await host.run("app", "install", "--composition", file.string).status == 0)
        #expect(try await installed(host) == installed(fixture.hostapp))
    }

    @Test("An install of the app that is killed leaves the old versions or the new ones, whole, and can be repeated")
    func killed() async throws {
        let build = try HostApp.find()
        let folder = try ThrowawayFolder()
        let file = try folder.write(Self.composition(Self.members), to: "app/bundle.json")
        let scratch = try ThrowawaySandbox()
        let locked = try await build.with(sandbox: scratch).run("app", "lock", "--composition", file.string)
        try #require(locked.status == 0, "\(locked)")
        var harness = try await FaultHarness(host: build, catalog: build.catalog)
        harness.every = 61
        harness.seed = 7
        let operation = FaultOperation(
            "app", preparation: [.run("install", "\(Scene.shop)@1.0.0"), .run("open", "app://shop")],
            command: ["app", "install", "--composition", file.string])
        let report = try await harness.run([operation], faults: [.kill, .powerCut])
        #expect(report.violations.isEmpty && report.missed.isEmpty, "\(report)")
        #expect(report.rows.allSatisfy { $0.points > 100 && $0.tried > 3 }, "\(report)")
    }
}
