import Foundation
import PluginCore
import PluginTestKit
import FaultInjection
import TestServer
import Testing

@Suite("The app as a whole", .tags(.large), .timeLimit(.minutes(10)))
struct WholeAppTests {
    private static let shop = "com.example.app.shop"

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
        try await fixture.publish(
            ["publish"]
                + (try fixture.packages("shop-1.0.0") + fixture.packages("lib.money") + fixture.packages("account")
                    + fixture.packages("orders")))
        let server = try WebServer(serving: fixture.repository.string)
        try await fixture.add(server.address)
        let file = try fixture.folder.write(
            Self.composition(Self.members, #""version": "1.0.0", "#), to: "app/bundle.json")
        let first = try await fixture.run("app", "install", "--composition", file.string)
        #expect(first.stdout.contains("Locked Sample 1.0.0"), "\(first)")
        let app = try await installed(fixture.hostapp)
        #expect(app.contains { $0.identifier == Self.shop && $0.version == "1.0.0" })

        try await fixture.publish(["publish"] + (try fixture.packages("shop-1.1.0")))
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
        #expect(update.stdout.contains("\(Self.shop)@1.1.0"), "\(update)")
        #expect(try await host.run("catalog", "refresh").status == 0)
        let status = try await host.run("app", "status", "--composition", file.string)
        #expect(status.status == 1 && status.stdout.contains("different"), "\(status)")
        #expect(try await host.run("app", "install", "--composition", file.string).status == 0)
        #expect(try await installed(host) == installed(fixture.hostapp))
    }

    @Test("All bundles that no catalog has are named, and nothing is installed")
    func missing() async throws {
        let fixture = try await PublishedFixture()
        try await fixture.publishAll()
        let server = try WebServer(serving: fixture.repository.string)
        try await fixture.add(server.address)
        let absent = #"{"uri": "x", "pkg": "com.example.app.absent"}, {"uri": "y", "pkg": "com.example.app.missing"}"#
        let file = try fixture.folder.write(Self.composition(Self.members + ", " + absent), to: "app/bundle.json")
        let result = try await fixture.hostapp.run("app", "install", "--composition", file.string)
        #expect(result.status == 66, "\(result)")
        for name in ["com.example.app.absent", "com.example.app.missing"] {
            #expect(result.stderr.contains("the catalog has no \(name)"), "\(result)")
        }
        #expect(try await installed(fixture.hostapp).isEmpty)
        #expect(!server.requests.contains { $0.path.hasSuffix(".zip") })
    }

    @Test("An operator changes the app without a release: with a new bundle.json in the catalog")
    func composition() async throws {
        let fixture = try await PublishedFixture()
        try await fixture.publishAll()
        try await publish("1.0.0", start: "app://account", fixture)
        let server = try WebServer(serving: fixture.repository.string)
        try await fixture.add(server.address)
        let file = try fixture.folder.write(
            Self.composition("", #""composition": "com.example.assets.kiosk", "#), to: "app/bundle.json")
        let install = try await fixture.run("app", "install", "--composition", file.string)
        #expect(
            install.stdout.contains("com.example.assets.kiosk@1.0.0") && install.stdout.contains(Self.shop),
            "\(install)")
        let before = try await fixture.run("open", "--composition", file.string)
        #expect(before.stdout.contains("Account"), "\(before)")

        try await publish("1.1.0", start: "app://shop/answer", fixture)
        try await fixture.run("catalog", "refresh")
        try await fixture.run("app", "update", "--composition", file.string)
        let count = server.requests.count
        let after = try await fixture.run("open", "--composition", file.string)
        #expect(after.stdout.contains("Desk lamp") && server.requests.count == count, "\(after)")
        try await fixture.run("rollback", "com.example.assets.kiosk")
        #expect(try await fixture.run("open", "--composition", file.string).stdout == before.stdout)

        let paths = try FileTree(of: fixture.sandbox.root).paths
        let altered = try #require(paths.first { $0.contains("kiosk/1.0.0-") && $0.hasSuffix("/bundle.json") })
        let path = fixture.sandbox.root.appending(altered).string
        try FileManager.default.removeItem(atPath: path)
        try Data(#"{"formatVersion": 1, "name": "Open", "bundles": []}"#.utf8).write(to: URL(filePath: path))
        let refused = try await fixture.hostapp.run("open", "--composition", file.string)
        #expect(refused.status == 77 && refused.stderr.contains("does not match its seal"), "\(refused)")
        try await fixture.run("install", "com.example.assets.kiosk@1.0.0", "--composition", file.string)
        #expect(try await fixture.run("open", "--composition", file.string).stdout == before.stdout)
    }

    /// Packs, signs and publishes a bundle with a bundle.json.
    private func publish(_ version: String, start: String, _ fixture: PublishedFixture) async throws {
        let signer = try #require(SigningIdentity.development)
        try fixture.folder.write(
            """
            {"formatVersion": 1, "identifier": "com.example.assets.kiosk", "version": "\(version)", "name": "Kiosk", "kind": "assets"}
            """, to: "kiosk/manifest.json")
        try fixture.folder.write(
            Self.composition(
                #"{"uri": "shop", "pkg": "com.example.app.shop", "version": "^1.0.0", "rules": {"answer": "item?id=42"}}, "#
                    + #"{"uri": "account", "pkg": "com.example.app.account"}"#,
                "\"start\": \"\(start)\", "), to: "kiosk/Resources/bundle.json")
        let output = fixture.folder.path.appending("packed")
        let packed = try await fixture.build.bundletool.run(
            "pack", fixture.folder.path.appending("kiosk").string, "--output", output.string, "--key",
            try signer.writeKey(in: fixture.folder).string, "--team", signer.team)
        try #require(packed.status == 0, "\(packed)")
        try await fixture.publish(["publish", output.appending("com.example.assets.kiosk-\(version).zip").string])
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
            "app", preparation: [.run("install", "\(Self.shop)@1.0.0"), .run("open", "app://shop")],
            command: ["app", "install", "--composition", file.string])
        let report = try await harness.run([operation], faults: [.kill, .powerCut])
        #expect(report.violations.isEmpty && report.missed.isEmpty, "\(report)")
        #expect(report.rows.allSatisfy { $0.points > 100 && $0.tried > 3 }, "\(report)")
    }
}
