import PluginCore
@testable import BundleFormat
@testable import Registry
@testable import Trust
@testable import PluginRuntime
import Signing
import Testing

@Suite("Ownership of app groups", .tags(.medium))
struct AppGroupTests {
    private let host: TestHost

    init() throws { host = try TestHost() }

    /// Gives another team the ownership of a prefix.
    private func trust(_ prefix: String, in host: TestHost) throws {
        let file = TrustFile(shipped: host.root.appending("trust.json"), sandbox: host.sandbox)
        let key = try SigningKey.generate().publicKey
        _ = try file.change { store throws(AtriumError) in
            try store.adding(team: "org.acme", name: nil, prefixes: [prefix], key: key)
        }
    }

    @Test("A bundle that declares an app group of another team, or of no team, isn't installed")
    func install() async throws {
        try host.offer(SamplePackage(appGroups: ["group.com.example", "group.org.acme.notes"]))
        let nobody = try await host.refusal(.groupForeign) { try await host.manager.install(.shop) }
        #expect(
            nobody.reason?.description
                == "signedGroupOfNoTeam(group: group.org.acme.notes, owned: org.acme.notes, owner: , team: com.example)"
        )
        try trust("org.acme", in: host)
        let other = try await host.refusal(.groupForeign) { try await host.manager.install(.shop) }
        #expect(
            other.reason?.name == "signedGroupOfOtherTeam" && other.reason?.values["owner"] == "org.acme",
            "\(other)")
    }

    @Test(
        "A bundle can declare app groups under whole labels of its team's prefix, with or without the leading word group",
        arguments: [
            ("group.com.example", true), ("group.com.example.shared.cart", true), ("com.example.shared", true),
            ("group.com.examples", false), ("group.com", false), ("group", false),
        ])
    func own(group: String, isOwn: Bool) async throws {
        try host.offer(SamplePackage(appGroups: [group]))
        do {
            #expect(try await host.manager.install(.shop).bundle.appGroups == [group] && isOwn)
        } catch let error as AtriumError {
            // Some of these names already fail the rules for identifiers, which are checked first.
            #expect(!isOwn && [.groupForeign, .manifestInvalid].contains(error.code), "\(error)")
        }
    }

    @Test("A remembered verification covers neither a group that now belongs to another team nor another group")
    func load() async throws {
        let bundle = try await host.install(SamplePackage(appGroups: ["group.com.example.shared"]))
        let records = host.manager.policy.records
        let policy = try #require(host.manager.policy.planner.verification as? TeamVerification)
        _ = try policy.requireLoadable(bundle, records)
        let source = Array(SamplePackage(appGroups: ["group.org.acme"]).manifest.utf8)
        let manifest = try ManifestReader.read(source, of: "manifest.json")
        let other = PluginBundle(manifest, digest: bundle.digest, size: 0, installedAt: 0, seal: bundle.seal)
        try failing(.groupForeign) { try policy.requireLoadable(other, records) }
        try trust("com.example.shared", in: host)
        try failing(.groupForeign, of: "\(TestHost.shop)@1.0.0") { try policy.requireLoadable(bundle, records) }
    }

    @Test(
        "Without a trust store, an app group belongs to the team's prefix or to the first two labels of the identifier",
        arguments: [
            ("group.com.example.shared", nil, true), ("group.com.example", "com.example", true),
            ("group.com.example.shared", "com.example.app", false),
            ("group.com.example.app.x", "com.example.app", true),
            ("group.org.acme", nil, false), ("group.org.acme", "org.acme", false), ("group.com.examples", nil, false),
        ] as [(String, String?, Bool)])
    func known(group: String, team: String?, isOwn: Bool) throws {
        let source = Array(SamplePackage(appGroups: [group]).manifest.utf8)
        let manifest = try ManifestReader.read(source, of: "manifest.json")
        do throws(AtriumError) {
            try AppGroupOwnership.requireOwn(in: manifest, team: team)
            #expect(isOwn)
        } catch {
            #expect(!isOwn && error.code == .groupForeign && error.problems.count == 1, "\(error)")
        }
    }
}
