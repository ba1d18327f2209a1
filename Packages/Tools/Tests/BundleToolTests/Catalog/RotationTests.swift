import BundleTool
import CatalogPublisher
import Console
import FoundationEssentials
import PluginCore
import TUFMetadata
import Testing

@Suite("bundletool rotate-key, renew and catalog", .tags(.medium))
struct RotationTests {
    private let fixture: CatalogFixture

    init() throws {
        fixture = try CatalogFixture()
        try fixture.published()
    }

    @Test(
        "A key of each role is replaced, and hosts follow",
        arguments: ["root", "targets", "snapshot", "timestamp", "packages"])
    func rotation(role: String) async throws {
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
        #expect(try fixture.report().roles.allSatisfy(\.isSigned))
    }

    @Test("A root is given to three owners, two of whom sign in several places")
    func offlineRoot() async throws {
        let reader = try CatalogReader(of: fixture)
        let owners = ["ada", "bob", "eve"]
        let keys = try owners.map { try fixture.team($0) }
        try fixture.moveKeys(of: ["root"], to: "vault")
        let file = fixture.path("root.json")
        let options = keys.flatMap { ["--key", $0] }
        try fixture.run(["rotate-key", "root", "--threshold", "2", "--export", file] + options)
        // Each signs a copy.
        for place in ["vault", "ada", "bob"] {
            try FileManager.default.copyItem(atPath: file, toPath: fixture.path("root-\(place).json"))
            try bundletool(["sign-metadata", fixture.path("root-\(place).json")] + fixture.signing(place))
        }
        func merge(_ places: String...) throws {
            try bundletool(["sign-metadata", file] + places.flatMap { ["--merge", fixture.path("root-\($0).json")] })
        }
        try merge("ada", "bob")
        // The old owner has not signed yet.
        #expect(throws: CommandError.self) { try fixture.run("rotate-key", "root", "--import", file) }
        try merge("vault")
        try fixture.run("rotate-key", "root", "--import", file)
        let root = try fixture.report().role("root")
        #expect(root.keys.count == 3 && root.threshold == 2 && root.version == 2 && root.isSigned)
        #expect(try await reader.versions("com.example.app.shop") != nil)
    }

    @Test("Without the key of root, its role cannot be rotated, and nothing changes")
    func missingRoot() throws {
        try fixture.moveKeys(of: ["root"], to: "vault")
        let before = try fixture.files()
        let error = #expect(throws: CommandError.self) { try fixture.run("rotate-key", "timestamp") }
        #expect(error?.report.code == "keysMissing" && error?.report.subject == "root")
        #expect(try refusal { try fixture.run("rotate-key", "other") }.hasPrefix("66 "))
        #expect(try fixture.files() == before)
    }

    @Test("Renewing signs a new timestamp, and other roles shortly before they expire")
    func renewal() async throws {
        let before = try fixture.report()
        let reply = try fixture.run("renew")
        #expect(reply.text == "renewed  timestamp\n" && reply.note.isEmpty)
        let after = try fixture.report()
        #expect(try after.role("timestamp").version == before.role("timestamp").version + 1)
        #expect(try after.role("snapshot").version == before.role("snapshot").version)
        var editor = try CatalogEditor(existing: fixture.site)
        var keys = try fixture.catalogKeys()
        let later = UTCTime.now.adding(days: 61)
        let renewed = try editor.renew(with: keys, at: later)
        #expect(renewed.count == 19 && Set(renewed).isSuperset(of: ["timestamp", "snapshot", "targets", "bin-0"]))
        try editor.publish(signedBy: &keys, at: later)
        #expect(try CatalogReport(of: fixture.site, at: later).warnings.isEmpty)
        // Roles whose keys are elsewhere are left out.
        try fixture.moveKeys(of: ["root", "targets"], to: "vault")
        let others = try editor.renew(with: fixture.catalogKeys(), at: later.adding(days: 61))
        #expect(!others.contains("targets") && others.contains("bin-0"))
        #expect(try await CatalogReader(of: fixture).versions("com.example.app.shop") != nil)
    }

    @Test("A role that expires soon or has expired is reported, with a life of its own length")
    func expiry() throws {
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
        let package = try fixture.package("com.example.app.shop", "1.1.0")
        try fixture.run("publish", package, "--channel", "beta", "--rollout", "5")
        try fixture.run("revoke", "com.example.app.shop@1.0.0", "--reason", "Old.")
        let reply = try bundletool("catalog", fixture.site.string)
        #expect(reply.status == .done)
        let lines = reply.text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        #expect(lines.first == "ROLE VERSION EXPIRES TARGETS KEYS")
        #expect(lines.contains { $0.hasPrefix("com.example.app.shop@1.1.0 beta 5% com.example bin-") })
        #expect(lines.contains { $0.hasPrefix("com.example.app.shop@1.0.0 revoked: Old. bin-") })
        let json = try bundletool("catalog", fixture.site.string, "--json").json
        #expect(json["packages.version"] == ["1.1.0", "1.0.0"] && json["packages.revoked"] == [.null, "Old."])
        #expect(json["packages.channel"] == ["beta", .null] && json["packages.rollout"] == [5, .null])
        #expect(json["packages.team"] == ["com.example", .null] && json.problems == [])
        let report = try fixture.report()
        let (roles, packages) = (report.roles, report.packages)
        #expect(roles.count > 4 && json["roles.name"] == .texts(roles.map(\.name)))
        #expect(json["roles.version"] == .list(roles.map { .number(Double($0.version)) }))
        #expect(json["roles.keys"] == .list(roles.map { .texts($0.keys) }))
        #expect(json["roles.threshold"] == .list(roles.map { .number(Double($0.threshold)) }))
        #expect(json["roles.life"] == .texts(roles.map { _ in "valid" }))
        #expect(json["roles.signed"] == .list(roles.map { _ in true }))
        #expect(json["packages.identifier"] == .texts(packages.map(\.identity.identifier.text)))
        #expect(json["packages.role"] == .texts(packages.map(\.role)))
        // An expired timestamp.
        var editor = try CatalogEditor(existing: fixture.site)
        var keys = try fixture.catalogKeys()
        try editor.publish(signedBy: &keys, at: UTCTime.now.adding(days: -2))
        let late = try bundletool("catalog", fixture.site.string)
        #expect(late.status == .refused && late.text.contains("warning: \"timestamp\" has expired since"))
        #expect(throws: CommandError.self) { try bundletool("catalog", fixture.path("none")) }
    }
}
