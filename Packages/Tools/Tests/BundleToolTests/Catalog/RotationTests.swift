import BundleTool
import CatalogFormat
import CatalogPublisher
import Console
import FoundationEssentials
import PluginCore
import TUFMetadata
import Testing

@Suite("bundletool rotate-key, renew and catalog", .tags(.medium))
struct RotationTests {
    @Test(
        "A key of each role is replaced, and hosts follow",
        arguments: ["root", "targets", "snapshot", "timestamp", "packages"])
    func rotation(role: String) async throws {
        let fixture = try CatalogFixture()
        try fixture.published()
        let reader = try CatalogReader(of: fixture)
        #expect(try await reader.versions("com.example.app.shop") != nil)
        let name = role == "packages" ? "bin-0" : role
        let old = try #require(fixture.report().role(name).keys.first)
        let reply = try fixture.run("rotate-key", role)
        #expect(reply.text.contains("rotated  \(role)\n") && reply.text.contains(old))
        let new = try fixture.report().role(name).keys
        #expect(new.count == 1 && new != [old])
        #expect(try await reader.versions("com.example.app.shop") != nil)
        // The catalog works without the old key.
        try FileManager.default.removeItem(atPath: fixture.path("keys/\(old).pem"))
        try fixture.run("publish", try fixture.package("com.example.app.account"))
        #expect(try await reader.versions("com.example.app.account") != nil)
        #expect(try await CatalogReader(of: fixture).versions("com.example.app.account") != nil)
        #expect(try fixture.report().roles.allSatisfy(\.signed))
    }

    @Test("A root is given to three owners, two of whom sign in several places")
    func offlineRoot() async throws {
        let fixture = try CatalogFixture()
        try fixture.published()
        let reader = try CatalogReader(of: fixture)
        let owners = ["ada", "bob", "eve"]
        let keys = try owners.map { try fixture.team($0) }
        try fixture.moveKeys(of: ["root"], to: "vault")
        let file = fixture.path("root.json")
        let options = keys.flatMap { ["--key", $0] }
        _ = try Program.reply(
            to: ["rotate-key", "root", "--threshold", "2", "--export", file] + options + ["--to", fixture.site.string]
                + fixture.signing(), on: .plain)
        // Each signs a copy.
        for place in ["vault", "ada", "bob"] {
            try FileManager.default.copyItem(atPath: file, toPath: fixture.path("root-\(place).json"))
            _ = try Program.reply(
                to: ["sign-metadata", fixture.path("root-\(place).json")] + fixture.signing(place), on: .plain)
        }
        func merge(_ places: String...) throws {
            _ = try Program.reply(
                to: ["sign-metadata", file] + places.flatMap { ["--merge", fixture.path("root-\($0).json")] },
                on: .plain)
        }
        try merge("ada", "bob")
        // The old owner has not signed yet.
        #expect(throws: CommandError.self) { try fixture.run("rotate-key", "root", "--import", file) }
        try merge("vault")
        try fixture.run("rotate-key", "root", "--import", file)
        let root = try fixture.report().role("root")
        #expect(root.keys.count == 3 && root.threshold == 2 && root.version == 2 && root.signed)
        #expect(try await reader.versions("com.example.app.shop") != nil)
    }

    @Test("Without the key of root, its role cannot be rotated, and nothing changes")
    func missingRoot() throws {
        let fixture = try CatalogFixture()
        try fixture.published()
        try fixture.moveKeys(of: ["root"], to: "vault")
        let before = try fixture.files()
        let error = #expect(throws: CommandError.self) { try fixture.run("rotate-key", "timestamp") }
        #expect(error?.report.code == "keysMissing" && error?.report.subject == "root")
        let unknown = #expect(throws: CommandError.self) { try fixture.run("rotate-key", "other") }
        #expect(unknown?.exitStatus == .notFound)
        #expect(try fixture.files() == before)
    }

    @Test("Renewing signs a new timestamp, and other roles shortly before they expire")
    func renewal() async throws {
        let fixture = try CatalogFixture()
        try fixture.published()
        let before = try fixture.report()
        let reply = try fixture.run("renew")
        #expect(reply.text == "renewed  timestamp\n" && reply.note.isEmpty)
        let after = try fixture.report()
        #expect(try after.role("timestamp").version == before.role("timestamp").version + 1)
        #expect(try after.role("snapshot").version == before.role("snapshot").version)
        var editor = try CatalogEditor(existing: fixture.site)
        var keys = try CatalogKeys(folder: fixture.keys) { _, _ in "secret" }
        let later = UTCTime.now.adding(days: 61)
        let renewed = try editor.renew(with: keys, at: later)
        #expect(renewed.count == 19 && Set(renewed).isSuperset(of: ["timestamp", "snapshot", "targets", "bin-0"]))
        try editor.publish(signedBy: &keys, at: later)
        #expect(try CatalogReport(of: fixture.site, at: later).warnings.isEmpty)
        #expect(try await CatalogReader(of: fixture).versions("com.example.app.shop") != nil)
    }

    @Test("Renewing warns about roles whose keys are elsewhere")
    func renewalWarning() throws {
        let fixture = try CatalogFixture()
        try fixture.published()
        try fixture.moveKeys(of: ["root", "targets"], to: "vault")
        var editor = try CatalogEditor(existing: fixture.site)
        let keys = try CatalogKeys(folder: fixture.keys) { _, _ in "secret" }
        let renewed = try editor.renew(with: keys, at: UTCTime.now.adding(days: 61))
        #expect(!renewed.contains("targets") && renewed.contains("bin-0"))
    }

    @Test("A role that expires soon or has expired is reported, with a life of its own length")
    func expiry() throws {
        let fixture = try CatalogFixture()
        try fixture.published()
        func names(after hours: Int, _ life: CatalogReport.Life) throws -> Set<String> {
            let time = UTCTime(seconds: UTCTime.now.seconds + hours * 3600)
            return Set(try CatalogReport(of: fixture.site, at: time).roles.filter { $0.life == life }.map(\.name))
        }
        #expect(try CatalogReport(of: fixture.site).warnings.isEmpty)
        #expect(try names(after: 17, .expiring) == ["timestamp"])
        #expect(try names(after: 25, .expired) == ["timestamp"])
        #expect(try names(after: 6 * 24, .expiring) == ["snapshot"])
        #expect(try names(after: 61 * 24, .expiring).contains("targets"))
        #expect(try names(after: 336 * 24, .expiring) == ["root"])
    }

    @Test("The report lists roles, packages and revoked versions, and ends with 77 if a role has expired")
    func report() throws {
        let fixture = try CatalogFixture()
        try fixture.published()
        try fixture.run(
            "publish", try fixture.package("com.example.app.shop", "1.1.0"), "--channel", "beta", "--rollout", "5")
        try fixture.run("revoke", "com.example.app.shop@1.0.0", "--reason", "Old.")
        let reply = try Program.reply(to: ["catalog", fixture.site.string], on: .plain)
        #expect(reply.status == .done)
        let lines = reply.text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        #expect(lines.first == "ROLE VERSION EXPIRES TARGETS KEYS")
        #expect(lines.contains { $0.hasPrefix("com.example.app.shop@1.1.0 beta 5% com.example bin-") })
        #expect(lines.contains { $0.hasPrefix("com.example.app.shop@1.0.0 revoked: Old. bin-") })
        // An expired timestamp.
        var editor = try CatalogEditor(existing: fixture.site)
        var keys = try CatalogKeys(folder: fixture.keys) { _, _ in "secret" }
        try editor.publish(signedBy: &keys, at: UTCTime.now.adding(days: -2))
        let late = try Program.reply(to: ["catalog", fixture.site.string], on: .plain)
        #expect(late.status == .refused && late.text.contains("warning: \"timestamp\" has expired since"))
        #expect(throws: CommandError.self) { try Program.reply(to: ["catalog", fixture.path("none")], on: .plain) }
    }

    @Test("Each command has help")
    func help() throws {
        for name in ["publish", "catalog", "revoke", "unpublish", "renew", "delegate", "rotate-key", "sign-metadata"] {
            let text = try Program.answer(to: [name, "--help"], on: .plain)
            #expect(text.hasPrefix("Usage: bundletool \(name)") && text.contains("Examples"), "\(name)")
        }
    }
}
