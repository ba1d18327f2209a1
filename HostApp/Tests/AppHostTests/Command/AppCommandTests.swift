import Console
import FoundationEssentials
import PluginCore
import PluginRuntime
import Resolver
import Testing

@testable import AppHost

@MainActor
@Suite("The app as a whole: install, lock, update and status", .tags(.medium))
struct AppCommandTests {
    private let fixture: AppFixture
    private static let needsLib = AssetsFixture.need("com.example.lib")

    /// Creates an app of two bundles, one of which requires a third, with one version of each in the catalog.
    init() throws {
        fixture = try AppFixture()
        try fixture.assets.offer("com.example.lib")
        try fixture.assets.offer("com.example.a", requires: Self.needsLib)
        try fixture.assets.offer("com.example.b")
        try fixture.compose([("com.example.b", nil), ("com.example.a", "^1.0.0")], fields: "\"version\": \"1.0.0\"")
    }

    private static let first = ["com.example.a@1.0.0", "com.example.b@1.0.0", "com.example.lib@1.0.0"]

    /// Publishes a newer version of every bundle.
    private func release(_ version: String = "1.1.0") throws {
        try fixture.assets.offer("com.example.lib", version: version)
        try fixture.assets.offer("com.example.a", version: version, requires: Self.needsLib)
        try fixture.assets.offer("com.example.b", version: version)
    }

    @Test("A lock has every bundle of the app with its content, and writing it installs nothing")
    func lock() async throws {
        let answer = try await fixture.run("app lock")
        #expect(answer.text.hasPrefix("Locked App 1.0.0 with 3 bundles in "), "\(answer.text)")
        let lock = try #require(try AppLock.read(fixture.assets.folder.path.appending("app/bundle.lock")))
        #expect(lock.bundles.map(\.identity.description) == Self.first)
        #expect(lock.app.name == "App" && lock.app.version?.description == "1.0.0")
        for bundle in lock.bundles {
            let package = try fixture.assets.manager.offers.catalog.package(bundle.identity)
            #expect(try bundle.digest == package.sealDigest())
            #expect(try Int(bundle.length) == Data(contentsOf: URL(filePath: package.path.string)).count)
        }
        #expect(try !fixture.assets.folder.names().contains { $0.hasPrefix("sandbox") })
    }

    @Test("The same app has the same lock byte for byte, whatever is installed")
    func stable() async throws {
        try await fixture.run("app lock")
        let first = fixture.lock
        try await fixture.run("install com.example.b")
        try fixture.assets.folder.remove("app/bundle.lock")
        try await fixture.run("app lock")
        #expect(first != nil && fixture.lock == first)
        #expect(try await fixture.run("app lock").text.hasPrefix("The lock is up to date: "))
    }

    @Test("A lock keeps what still fits bundle.json, and takes the newest versions if asked to")
    func keeping() async throws {
        try await fixture.run("app lock")
        try release()
        #expect(try await fixture.run("app lock").text.hasPrefix("The lock is up to date: "))
        try fixture.compose([("com.example.b", "^1.1.0"), ("com.example.a", "^1.0.0")])
        let answer = try await fixture.run("app lock")
        #expect(answer.text.contains("  com.example.b 1.0.0 -> 1.1.0\n") && !answer.text.contains("com.example.a"))
        let newest = try await fixture.run("app lock --update")
        #expect(newest.text.contains("  com.example.a 1.0.0 -> 1.1.0\n  com.example.lib 1.0.0 -> 1.1.0\n"))
    }

    @Test("A lock that cannot be kept as it is gives way: a member's new range moves what it requires")
    func moving() async throws {
        try await fixture.run("app lock")
        try fixture.assets.offer("com.example.lib", version: "1.1.0")
        let requirement = AssetsFixture.need("com.example.lib", "^1.1.0")
        try fixture.assets.offer("com.example.a", version: "1.1.0", requires: requirement)
        try fixture.compose([("com.example.b", nil), ("com.example.a", "^1.1.0")])
        let answer = try await fixture.run("app lock")
        #expect(answer.text.contains("  com.example.a 1.0.0 -> 1.1.0\n  com.example.lib 1.0.0 -> 1.1.0\n"))
    }

    @Test("Two sandboxes get the same versions from one lock, although newer ones were published since")
    func reproducible() async throws {
        try await fixture.run("app install")
        #expect(try fixture.active() == Self.first)
        let lock = fixture.lock
        try release()
        var other = fixture
        other.sandbox = "other"
        try await other.run("app install")
        #expect(try other.active() == Self.first)
        #expect(fixture.lock == lock)
        #expect(try await other.run("app status").status == .done)
    }

    @Test("Without a lock, an install takes the newest versions and writes the lock")
    func installAndLock() async throws {
        try release()
        let answer = try await fixture.run("app install")
        #expect(answer.text.contains("Installed com.example.a@1.1.0.\n"), "\(answer.text)")
        #expect(answer.text.contains("Locked App 1.0.0 with 3 bundles in "))
        let nothing = "Nothing to install: App 1.0.0 with 3 bundles is active.\n"
        #expect(try await fixture.run("app install").text == nothing)
    }

    @Test("A lock that does not fit bundle.json is refused with each difference, and nothing is installed")
    func outdated() async throws {
        try await fixture.run("app lock")
        try fixture.compose([("com.example.b", "^1.1.0"), ("com.example.c", nil)], fields: "\"version\": \"1.1.0\"")
        let error = try await fixture.error(of: "app install")
        #expect(error.code == .lockOutdated && error.exitStatus == .refused)
        #expect(
            error.report.details == [
                "the lock is of version 1.0.0 of the app, but the version in bundle.json is 1.1.0",
                "the lock has com.example.b@1.0.0, but bundle.json allows ^1.1.0",
                "the lock does not contain com.example.c",
            ])
        #expect(error.report.remedy?.contains("hostapp app lock") == true)
        #expect(try !fixture.assets.folder.names().contains { $0.hasPrefix("sandbox") })
        let fields = #""version": "1.0.0", "start": "app://u0""#
        try fixture.compose([("com.example.b", nil), ("com.example.a", "^1.0.0")], fields: fields)
        let changed = try await fixture.error(of: "app install")
        #expect(changed.report.details == ["bundle.json has changed since it was locked"])
    }

    @Test("A package with other content than the locked one is refused, and nothing is installed")
    func content() async throws {
        try await fixture.run("app lock")
        try fixture.assets.offer("com.example.lib", routes: AssetsFixture.page(at: "x"))
        let error = try await fixture.error(of: "app install")
        #expect(error.code == .lockMismatch && error.subject == "com.example.lib@1.0.0", "\(error)")
        #expect(try fixture.active() == [])
    }

    @Test("An installed version with other content than the locked one is refused")
    func installedContent() async throws {
        try await fixture.run("install com.example.b")
        try fixture.assets.offer("com.example.b", routes: AssetsFixture.page(at: "x"))
        var other = fixture
        other.sandbox = "other"
        try await other.run("app lock")
        let error = try await fixture.error(of: "app install")
        #expect(error.code == .lockMismatch && error.subject == "com.example.b@1.0.0", "\(error)")
        #expect(try await fixture.run("app status").json.text().contains("\"state\":\"different\""))
    }

    @Test("A bundle that a member calls on demand is not part of the lock, and is installed when it is needed")
    func onDemand() async throws {
        let onDemand = #"{"bundle": "com.example.c", "versions": "^1.0.0", "onDemand": true}"#
        try fixture.assets.offer("com.example.b", version: "1.1.0", requires: onDemand)
        try fixture.assets.offer("com.example.c", routes: AssetsFixture.page(at: "c"))
        try fixture.compose([("com.example.b", nil)])
        #expect(try await fixture.run("app install --dry-run").text == "Would install com.example.b@1.1.0.\n")
        try await fixture.run("app install")
        #expect(try fixture.active() == ["com.example.b@1.1.0"])
        try await fixture.run("open app://c")
        #expect(try fixture.active() == ["com.example.b@1.1.0", "com.example.c@1.0.0"])
    }

    @Test("A lock that lacks a bundle that a locked one requires is refused, and nothing is installed")
    func halfLock() async throws {
        try await fixture.run("app lock")
        let path = fixture.assets.folder.path.appending("app/bundle.lock")
        let lock = try #require(try AppLock.read(path))
        let digests = lock.bundles.map(\.digest)
        // The last of the sorted bundles is the library.
        let text = try #require(fixture.lock)
        let start = try #require(text.firstRange(of: ",\n    {\n      \"digest\" : \"\(digests[2])\""))
        let end = try #require(text.firstRange(of: "\n  ],\n  \"formatVersion\""))
        try fixture.assets.folder.write(
            String(text[..<start.lowerBound] + text[end.lowerBound...]), to: "app/bundle.lock")
        let error = try await fixture.error(of: "app install")
        #expect(error.code == .lockMismatch && error.subject == "com.example.lib@1.0.0", "\(error)")
        #expect(try fixture.active() == [])
    }

    @Test("All bundles that no catalog has are named at once")
    func missing() async throws {
        let bundles = ["com.example.none", "com.example.a", "com.example.b", "com.example.gone"]
        try fixture.compose(bundles.map { ($0, $0 == "com.example.a" ? "^2.0.0" : nil) })
        for command in ["app install", "app lock", "app update"] {
            let error = try await fixture.error(of: command)
            #expect(error.code == .appIncomplete && error.exitStatus == .notFound)
            let message = "no catalog has what the app needs of "
            #expect(error.report.message == message + "\"com.example.none, com.example.a, com.example.gone\"")
            #expect(
                error.report.details == [
                    "the catalog has no com.example.none",
                    "the catalog has no com.example.a ^2.0.0; its newest version is 1.0.0",
                    "the catalog has no com.example.gone",
                ])
        }
    }

    @Test("A bundle that only a member requires and no catalog has is named, too")
    func missingRequirement() async throws {
        let needs = AssetsFixture.need("com.example.x", "*") + ", " + AssetsFixture.need("com.example.y", "*")
        try fixture.assets.offer("com.example.b", version: "1.1.0", requires: needs)
        try fixture.compose([("com.example.b", "^1.1.0")])
        let error = try await fixture.error(of: "app install")
        #expect(error.code == .appIncomplete && error.subject == "com.example.x, com.example.y", "\(error)")
    }

    @Test("An update installs the newest versions that bundle.json allows and locks them")
    func update() async throws {
        try await fixture.run("app install")
        try release()
        try fixture.assets.offer("com.example.a", version: "2.0.0")
        let dry = try await fixture.run("app update --dry-run")
        #expect(
            dry.text == """
                Would update com.example.lib from 1.0.0 to 1.1.0.
                Would update com.example.a from 1.0.0 to 1.1.0.
                Would update com.example.b from 1.0.0 to 1.1.0.

                """, "\(dry.text)")
        #expect(try fixture.active() == Self.first)
        let before = fixture.lock
        let answer = try await fixture.run("app update")
        #expect(answer.text.contains("Locked App 1.0.0 with 3 bundles in "), "\(answer.text)")
        #expect(try fixture.active() == Self.first.map { $0.replacing("1.0.0", with: "1.1.0") })
        #expect(fixture.lock != before)
        #expect(try await fixture.run("app status").status == .done)
    }

    @Test("An update that fails leaves the app and the lock as they were")
    func failingUpdate() async throws {
        try await fixture.run("app install")
        let before = fixture.lock
        try release()
        try fixture.assets.folder.write("no package", to: "catalog/com.example.b-1.1.0.zip")
        try fixture.compose(
            [("com.example.b", "1.1.0"), ("com.example.a", "^1.0.0")], fields: "\"version\": \"1.0.0\"")
        _ = try await fixture.error(of: "app update")
        #expect(try fixture.active() == Self.first && fixture.lock == before)
    }

    @Test("A staged update is locked, and the status says that it waits for the next start")
    func staged() async throws {
        try await fixture.run("app install")
        try release()
        try await fixture.run("app update --stage")
        #expect(try fixture.active() == Self.first)
        let status = try await fixture.run("app status")
        #expect(status.status == .different && status.json.text().contains("\"state\":\"staged\""), "\(status.text)")
    }

    @Test("The status compares bundle.json, lock and sandbox, and ends with 1 if they differ")
    func status() async throws {
        let none = try await fixture.run("app status")
        #expect(none.status == .different && none.text.contains("there is no lock"), "\(none.text)")
        #expect(none.json.text().contains("\"state\":\"unlocked\""))
        try await fixture.run("app lock")
        let missing = try await fixture.run("app status")
        #expect(missing.status == .different && missing.json.text().contains("\"state\":\"missing\""))
        try await fixture.run("app install")
        let same = try await fixture.run("app status")
        #expect(same.status == .done)
        #expect(same.text.hasSuffix("App 1.0.0 is installed as it is locked.\n"), "\(same.text)")
        try release()
        try await fixture.run("update com.example.b")
        let newer = try await fixture.run("app status")
        #expect(newer.status == .different && newer.json.text().contains("\"same\":false"))
        let versions = #""locked":"1.0.0","installed":"1.1.0","staged":null,"state":"different""#
        #expect(newer.json.text().contains(versions))
    }

    @Test("A sandbox that is ahead of the lock is not taken back, and the error names the bundles")
    func ahead() async throws {
        try await fixture.run("app install")
        try release()
        try await fixture.run("update com.example.b")
        let error = try await fixture.error(of: "app install")
        #expect(error.code == .downgrade, "\(error)")
        #expect(error.report.details == ["the lock has com.example.b@1.0.0, but 1.1.0 is active"])
    }

    @Test("Members are kept as requested by name, and what they require goes with them")
    func reasons() async throws {
        try await fixture.run("app install")
        #expect(try await fixture.run("autoremove").text.hasPrefix("Nothing to remove"))
        try await fixture.run("uninstall com.example.a")
        #expect(try await fixture.run("autoremove").text.contains("com.example.lib"))
        #expect(try fixture.active() == ["com.example.b@1.0.0"])
    }

    @Test("An install repairs a damaged bundle of the app")
    func damaged() async throws {
        try await fixture.run("app install")
        let names = try fixture.assets.folder.names()
        let folder = try #require(names.first { $0.hasSuffix("manifest.json") && $0.contains("com.example.b/1.0.0") })
        try fixture.assets.folder.write("{}", to: folder)
        #expect(try await fixture.run("app install").text.contains("Reinstalled com.example.b@1.0.0"))
        #expect(try await fixture.run("verify").status == .done)
    }

    @Test("A lock that cannot be read is an error, and --lock names another one")
    func invalid() async throws {
        for text in ["{", "{}", #"{"formatVersion": 2, "app": {"name": "A", "digest": "x"}, "bundles": []}"#] {
            try fixture.assets.folder.write(text, to: "app/bundle.lock")
            #expect(try await fixture.error(of: "app install").code == .lockInvalid)
        }
        try await fixture.run("app install --lock elsewhere.lock")
        #expect(try fixture.active() == Self.first)
        #expect(try await fixture.run("app status --lock elsewhere.lock").status == .done)
        #expect(try await fixture.error(of: "app status").code == .lockInvalid)
    }

    @Test("Without a bundle.json the command says which option names one")
    func noComposition() async throws {
        await #expect(throws: UsageError.self) { try await fixture.assets.run("app", "status") }
    }
}
