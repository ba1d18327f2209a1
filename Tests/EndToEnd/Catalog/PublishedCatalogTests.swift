import Foundation
import PluginCore
import PluginTestKit
import TestServer
import Testing

@Suite("Plugins from a published catalog over HTTP", .tags(.large), .timeLimit(.minutes(5)))
struct PublishedCatalogTests {
    @Test(
        "What a network answers in place of metadata is no matter of trust: the last state is used, and the host says what came"
    )
    func captivePortal() async throws {
        let (fixture, server) = try await PublishedFixture.served()
        defer { server.stop() }
        try await fixture.run("install", Scene.shop)
        let timestamp = fixture.repository.appending("metadata/timestamp.json").string
        let genuine = try #require(FileManager.default.contents(atPath: timestamp))
        let page = Data(("\n<!DOCTYPE html><title>Sign in</title>" + String(repeating: " ", count: 20_000)).utf8)
        func answer(_ name: String, with content: Data) throws {
            try content.write(to: URL(filePath: fixture.repository.appending("metadata/\(name)").string))
        }

        // A server that answers missing files with a page.
        try answer("2.root.json", with: page)
        let refreshed = try await fixture.run("catalog", "refresh")
        #expect(refreshed.stdout.contains("is up to date") && refreshed.stderr.isEmpty, "\(refreshed)")
        // A network that answers everything with a page, or with its own JSON.
        let answers = [page, Data(#"{"error": "sign in"}"#.utf8), Data("[]".utf8), Data("Sign in".utf8), Data()]
        for content in answers {
            try answer("2.root.json", with: content)
            try answer("timestamp.json", with: content)
            let outdated = try await fixture.run("outdated")
            #expect(outdated.stderr.contains("is used, which is valid until"), "\(outdated)")
            #expect(outdated.stderr.contains("sign in to the network") == (content == page), "\(outdated)")
            let update = try await fixture.hostapp.run("update")
            #expect([0, 69].contains(update.status) && !update.stderr.contains("is not trusted"), "\(update)")
            let doctor = try await fixture.hostapp.run("doctor").stdout
            #expect(doctor.contains("has answered") && !doctor.contains("root of the catalog"), "\(doctor)")
        }
        // What is metadata and not signed is a matter of trust, but not for another root.
        try answer("2.root.json", with: page)
        try answer(
            "timestamp.json",
            with: Data(String(decoding: genuine, as: UTF8.self).replacing("\"version\"", with: "\"Version\"").utf8))
        let tampered = try await fixture.hostapp.run("outdated", "--check")
        #expect(tampered.status == 77, "\(tampered)")
        #expect(!(try await fixture.hostapp.run("doctor").stdout).contains("catalog trust"))
    }

    @Test("A dry run names the bytes to download, and downloads no package")
    func dryRun() async throws {
        let (fixture, server) = try await PublishedFixture.served()
        let dry = try await fixture.run("install", Scene.shop, "--dry-run", "--json").json(as: DryRun.self)
        #expect(try await fixture.run("list").stdout.contains("Nothing is installed"))
        #expect(!server.requests.contains { $0.path.hasSuffix(".zip") })
        try await fixture.run("install", Scene.shop)
        let served = server.requests.filter { $0.path.hasSuffix(".zip") }.map(\.count)
        #expect(dry.downloadSize == served.reduce(0, +) && dry.downloadSize > 0, "\(served)")
        let count = server.requests.count
        try await fixture.run("open", "app://shop/item/42")
        #expect(server.requests.count == count)
        try await fixture.publish(["revoke", "\(Scene.shop)@1.1.0", "--reason", "it loses orders"])
        let revoked = try await fixture.run("update", "--dry-run").stdout
        #expect(revoked.hasPrefix("Would block \(Scene.shop)@1.1.0, which the catalog has revoked: it loses orders.\n"))
        #expect(try await fixture.run("list").stdout.contains("1.1.0"))
    }

    /// The output of a dry run with `--json`.
    private struct DryRun: Decodable { let downloadSize: Int }

    @Test("A revoked version is left: for the version before it, and never to come back")
    func revoked() async throws {
        let (fixture, server) = try await PublishedFixture.served()
        defer { server.stop() }
        try await fixture.run("install", "\(Scene.shop)@1.0.0")
        try await fixture.run("update", Scene.shop)
        #expect(try await fixture.run("list").stdout.contains("1.1.0"))
        try await fixture.publish(["revoke", "\(Scene.shop)@1.1.0", "--reason", "it loses orders"])
        let refreshed = try await fixture.run("catalog", "refresh").stdout
        #expect(refreshed.contains("\(Scene.shop)@1.0.0"), "\(refreshed)")
        let again = try await fixture.hostapp.run("install", "\(Scene.shop)@1.1.0")
        #expect(again.status != 0, "\(again)")
        #expect(try await fixture.active(Scene.shop).contains("1.0.0"))
    }

    @Test("A higher version in a public catalog does not take the place of a private plugin")
    func confusion() async throws {
        let fixture = try await PublishedFixture()
        try await fixture.publishPackages("shop-1.0.0", "lib.money", "account", "orders")
        let open = fixture.folder.path.appending("public")
        try await fixture.publishPackages(to: open)
        let (own, other) = (try WebServer(serving: fixture.repository.string), try WebServer(serving: open.string))
        try await fixture.run(
            "catalog", "add", "public", other.address, "--root", open.appending("metadata/1.root.json").string)
        try await fixture.run(
            "catalog", "add", "company", own.address, "--root", fixture.root.string, "--prefix", "com.example",
            "--first")
        try await fixture.run("install", Scene.shop)
        #expect(try await fixture.run("list").stdout.contains("1.0.0"))
        #expect(!other.requests.contains { $0.path.hasSuffix(".zip") })
        own.stop()
        let result = try await fixture.hostapp.run("install", "com.example.app.stocks")
        #expect(result.status != 0, "\(result)")
        #expect(!other.requests.contains { $0.path.hasSuffix(".zip") })
    }

    @Test("A server with a certificate of an own authority is refused with what to do, and trusted with its file")
    func authority() async throws {
        let fixture = try await PublishedFixture()
        try await fixture.publishPackages()
        let server = try WebServer(serving: fixture.repository.string, isSecure: true)
        let address = server.secureAddress
        try await fixture.run("catalog", "add", "site", address, "--root", fixture.root.string)
        let refused = try await fixture.hostapp.run("install", Scene.shop)
        #expect(refused.status == 69 && refused.stderr.contains("--catalog-ca FILE"), "\(refused)")
        #expect(server.requests.isEmpty)
        try await fixture.run("--catalog-ca", server.authority, "install", "com.example.app.account")

        try await fixture.run("catalog", "remove", "site")
        let wrong = try await fixture.hostapp.run("catalog", "add", "site", address, "--ca", fixture.root.string)
        #expect(wrong.status == 64 && wrong.stderr.contains("a file with certificates in PEM"), "\(wrong)")
        try await fixture.run(
            "catalog", "add", "site", address, "--ca", server.authority, "--root", fixture.root.string)
        try await fixture.run("install", Scene.shop)
        #expect(try await fixture.active(Scene.shop).contains("1.1.0"))
    }

    @Test("A mirror takes over when the server cannot be reached, also one that is behind it")
    func mirror() async throws {
        let fixture = try await PublishedFixture()
        try await fixture.publishPackages("account", "lib.money-1.0.0")
        let old = fixture.folder.path.appending("old")
        try fixture.repository.copy(to: old)
        try await fixture.publishPackages("lantern")
        let server = try WebServer(serving: fixture.repository.string)
        let mirror = try WebServer(serving: old.string)
        try await fixture.run(
            "catalog", "add", "site", server.address, "--mirror", mirror.address, "--root", fixture.root.string)
        try await fixture.run("install", "com.example.app.account")
        server.stop()
        let outdated = try await fixture.run("outdated")
        #expect(outdated.stderr.contains("is used, which is valid until"), "\(outdated)")
        #expect(mirror.requests.contains { $0.path.hasSuffix("timestamp.json") })
        // The mirror catches up.
        try old.remove()
        try fixture.repository.copy(to: old)
        try await fixture.run("install", "com.example.lib.money")
        #expect(mirror.requests.contains { $0.status == 200 && $0.path.hasSuffix(".zip") }, "\(mirror.requests)")
    }

    @Test(
        "A session says that there are updates, stages them or applies them, as bundle.json says",
        arguments: [
            ("notify", "Updates are available: com.example.app.shop 1.1.0", "1.0.0"),
            ("stage", "com.example.app.shop@1.1.0 becomes active at the next start", "1.0.0"),
            ("apply", "Updated to com.example.app.shop@1.1.0", "1.1.0"),
        ])
    func updates(policy: String, notice: String, version: String) async throws {
        let (fixture, server) = try await PublishedFixture.served()
        defer { server.stop() }
        try await fixture.run("install", "\(Scene.shop)@1.0.0")
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
        #expect(try await fixture.active(Scene.shop).contains(version))
    }
}
