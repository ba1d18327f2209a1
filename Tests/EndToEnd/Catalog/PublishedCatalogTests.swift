import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("Plugins from a published catalog over HTTP", .tags(.large), .timeLimit(.minutes(5)))
struct PublishedCatalogTests {
    private static let shop = "com.example.app.shop"

    @Test("A plugin is installed over HTTP, opened without a request, and used without the server")
    func install() async throws {
        let fixture = try PublishedFixture()
        try await fixture.publishAll()
        let server = try await WebServer(serving: fixture.repository)
        try await fixture.add(server.address)
        #expect(try await fixture.run("catalog").stdout.contains(Self.shop))
        try await fixture.run("install", Self.shop)
        let count = server.requests.count
        let page = try await fixture.run("open", "app://shop/item/42").stdout
        #expect(page.contains("Buy") && server.requests.count == count, "\(page)")
        server.stop()
        #expect(try await fixture.run("open", "app://shop/item/42").stdout == page)
        let outdated = try await fixture.run("outdated")
        #expect(outdated.stderr.contains("is used, which is valid until"), "\(outdated)")
    }

    @Test("An address installs its plugin on demand, with the metadata of that plugin alone")
    func onDemand() async throws {
        let fixture = try PublishedFixture()
        try await fixture.publishAll()
        let server = try await WebServer(serving: fixture.repository)
        try await fixture.add(server.address)
        try await fixture.run("open", "app://account")
        let packages = server.requests.filter { $0.path.hasSuffix(".zip") }.map(\.path)
        #expect(packages.count == 1 && packages[0].contains("com.example.app.account"), "\(packages)")
    }

    @Test("A revoked version is left: for the version before it, and never to come back")
    func revoked() async throws {
        let fixture = try PublishedFixture()
        try await fixture.publishAll()
        let server = try await WebServer(serving: fixture.repository)
        try await fixture.add(server.address)
        try await fixture.run("install", "\(Self.shop)@1.0.0")
        try await fixture.run("update", Self.shop)
        #expect(try await fixture.run("list").stdout.contains("1.1.0"))
        try await fixture.publish(["revoke", "\(Self.shop)@1.1.0", "--reason", "it loses orders"])
        let refreshed = try await fixture.run("catalog", "refresh").stdout
        #expect(refreshed.contains("\(Self.shop)@1.0.0"), "\(refreshed)")
        let again = try await fixture.hostapp.run("install", "\(Self.shop)@1.1.0")
        #expect(again.status != 0, "\(again)")
        let active = try await fixture.run("list").stdout.split(separator: "\n").first { $0.contains(Self.shop) }
        #expect(active?.contains("1.0.0") == true, "\(active ?? "")")
    }

    @Test("A catalog without its root is refused with what to do, and nothing is fetched")
    func untrusted() async throws {
        let fixture = try PublishedFixture()
        try await fixture.publishAll()
        let server = try await WebServer(serving: fixture.repository)
        let result = try await fixture.hostapp.run("--catalog", server.address, "install", Self.shop)
        #expect(result.status == 77 && result.stderr.contains("no root of it is pinned"), "\(result)")
        #expect(server.requests.isEmpty)
    }

    @Test("A higher version in a public catalog does not take the place of a private plugin")
    func confusion() async throws {
        let fixture = try PublishedFixture()
        try await fixture.publish(
            ["publish"]
                + (try fixture.packages("shop-1.0.0") + fixture.packages("lib.money") + fixture.packages("account")
                    + fixture.packages("orders")))
        let open = fixture.folder.path.appending("public")
        try await fixture.publish(["publish"] + (try fixture.packages()), to: open)
        let (own, other) = (try await WebServer(serving: fixture.repository), try await WebServer(serving: open))
        try await fixture.run(
            "catalog", "add", "public", other.address, "--root", open.appending("metadata/1.root.json").string)
        try await fixture.run(
            "catalog", "add", "company", own.address, "--root", fixture.root.string, "--prefix", "com.example",
            "--first")
        try await fixture.run("install", Self.shop)
        #expect(try await fixture.run("list").stdout.contains("1.0.0"))
        #expect(!other.requests.contains { $0.path.hasSuffix(".zip") })
        own.stop()
        let result = try await fixture.hostapp.run("install", "com.example.app.stocks")
        #expect(result.status != 0, "\(result)")
        #expect(!other.requests.contains { $0.path.hasSuffix(".zip") })
    }

    @Test("A download that was killed continues where it ended")
    func resumed() async throws {
        let fixture = try PublishedFixture()
        try await fixture.publishAll()
        let server = try await WebServer(serving: fixture.repository, rate: "20k")
        try await fixture.add(server.address)
        let process = try fixture.hostapp.start(["install", Self.shop])
        let packages = fixture.sandbox.root.appending("Containers/Catalogs")
        for _ in 0..<2000 {
            let files = FileManager.default.enumerator(atPath: packages.string)?.allObjects as? [String] ?? []
            if files.contains(where: { $0.hasSuffix(".partial") }) { break }
            try await Task.sleep(for: .milliseconds(5))
        }
        try await Task.sleep(for: .milliseconds(1500))
        process.kill()
        _ = try await process.result()
        try await fixture.run("install", Self.shop)
        #expect(server.requests.contains { $0.status == 206 }, "\(server.requests)")
    }

    @Test(
        "A session says that there are updates, stages them or applies them, as bundle.json says",
        arguments: [
            ("notify", "Updates are available: com.example.app.shop 1.1.0", "1.0.0"),
            ("stage", "com.example.app.shop@1.1.0 becomes active at the next start", "1.0.0"),
            ("apply", "Updated to com.example.app.shop@1.1.0", "1.1.0"),
        ])
    func updates(policy: String, notice: String, version: String) async throws {
        let fixture = try PublishedFixture()
        try await fixture.publishAll()
        let server = try await WebServer(serving: fixture.repository)
        try await fixture.add(server.address)
        try await fixture.run("install", "\(Self.shop)@1.0.0")
        try fixture.folder.write(
            #"{"formatVersion": 1, "name": "A", "updates": "\#(policy)", "bundles": []}"#, to: "bundle.json")
        let process = try fixture.hostapp.start([
            "shell", "app://shop", "--composition", fixture.folder.path.appending("bundle.json").string,
        ])
        // A session shows notices with its next step.
        for _ in 0..<150 where !(process.stdout + process.stderr).contains(notice) {
            try await Task.sleep(for: .milliseconds(200))
            try await process.send("pages\n")
        }
        #expect((process.stdout + process.stderr).contains(notice), "\(process.stdout) \(process.stderr)")
        try await process.send("quit\n")
        _ = try await process.result()
        let active = try await fixture.run("list").stdout.split(separator: "\n").first { $0.contains(Self.shop) }
        #expect(active?.contains(version) == true, "\(active ?? "")")
    }
}
