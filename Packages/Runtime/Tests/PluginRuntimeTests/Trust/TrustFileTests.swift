import Foundation
import PluginCore
import Signing
import Testing
@testable import BundleFormat
@testable import HostSystem
@testable import PluginRuntime
@testable import Registry
@testable import Trust

@Suite("Trust files of a sandbox, and ownership of app groups", .tags(.medium))
struct TrustFileTests {
    @TemporaryFolder private var folder

    private var shipped: FilePath { folder.appending("share/trust.json") }
    private var sandbox: Sandbox { Sandbox(root: folder.appending("sandbox")) }
    private var file: TrustFile { TrustFile(shipped: shipped, sandbox: sandbox) }

    private static func adding(
        _ key: Int, to team: String = "com.example"
    ) -> (TrustStore) throws(AtriumError) -> TrustStore {
        { store throws(AtriumError) in
            guard let key = try? TrustSample.key(key) else { return store }
            return try store.adding(team: team, name: nil, prefixes: [team], key: key)
        }
    }

    @Test("Without trust files nobody is trusted, and reading creates nothing")
    func missing() throws {
        #expect(try file.read() == .empty)
        #expect(try file.change { $0 }.after == .empty)
        #expect(try TrustFile(shipped: nil, sandbox: sandbox).read() == .empty)
        #expect(try folder.names == [])
    }

    @Test("Both trust files are read as one, and only additions to the host's file are written")
    func merged() throws {
        try shipped.write(try TrustSample.store().encoded())
        try file.change(Self.adding(1, to: "org.other"))
        #expect(try file.read().teams.map(\.identifier) == ["com.example", "org.other"])
        let own = try TrustStore(reading: sandbox.trust.bytes, named: "own")
        #expect(own.teams.map(\.identifier) == ["org.other"])
        #expect(try shipped.bytes == TrustSample.store().encoded())
        #expect(try sandbox.trust.parent.names == ["trust.json"])
    }

    @Test("A team of the host's file can be rotated and revoked in the sandbox's file")
    func rotated() throws {
        try shipped.write(try TrustSample.store().encoded())
        let key = try TrustSample.key(1)
        try file.change { store throws(AtriumError) in
            try store.rotating(team: "com.example", to: key, overlap: 100, now: 0)
        }
        #expect(try file.read().report(0, at: 100) == "keyRetired")
        #expect(try file.read().report(1, at: 100) == "passes")
        try file.change { store throws(AtriumError) in try store.revoking(key: key.id, reason: "stolen", at: 0) }
        #expect(try file.read().report(1, for: .load) == "keyRevoked")
        // A newer host that ships the revoked key doesn't restore its trust.
        try shipped.write(
            try TrustSample.store().adding(team: "com.example", name: nil, prefixes: [], key: key).encoded())
        #expect(try file.read().report(1, for: .load) == "keyRevoked")
    }

    @Test("A key that the user added stays trusted after a host that ships the same key is replaced")
    func kept() throws {
        try file.change(Self.adding(0))
        try shipped.write(try TrustSample.store().encoded())
        try file.change(Self.adding(1, to: "org.other"))
        try shipped.remove()
        #expect(try file.read().report(0) == "passes")
        #expect(try file.read().report(1, of: "org.other", on: "org.other") == "passes")
    }

    @Test("The sandbox's file cannot allow a key that the host's file has retired, and adding it fails")
    func stricter() throws {
        let shipped = try TrustSample.store().rotating(team: "com.example", to: TrustSample.key(1), overlap: 0, now: 0)
        try self.shipped.write(shipped.encoded())
        #expect(throws: AtriumError.self) { try file.change(Self.adding(0)) }
        #expect(!sandbox.trust.exists)
        #expect(try file.read() == shipped)
    }

    @Test("A damaged trust file is an error and is never treated as empty", arguments: [true, false])
    func damaged(isShipped: Bool) throws {
        try shipped.write(try TrustSample.store().encoded())
        try file.change(Self.adding(1, to: "org.other"))
        let path = isShipped ? shipped : sandbox.trust
        let whole = try path.bytes
        for bytes in [[], [0], Array(whole.dropLast(3)), Array(whole.dropFirst()), whole + whole] {
            try path.write(bytes)
            #expect(try failing(.trustInvalid) { try file.read() }.subject == path.string)
            #expect(try failing(.trustInvalid) { try file.change { $0 } }.subject == path.string)
            #expect(try path.bytes == bytes)
        }
    }

    @Test("A folder or a dangling link in place of a trust file, or a file in place of its folder, is an error")
    func noFile() throws {
        try sandbox.trust.makeFolder()
        try failing(.inputOutput) { try file.read() }
        try sandbox.trust.remove()
        let target = folder.appending("elsewhere").string
        try FileManager.default.createSymbolicLink(atPath: sandbox.trust.string, withDestinationPath: target)
        try failing(.inputOutput) { try file.read() }
        try sandbox.trust.parent.remove()
        try sandbox.trust.parent.write("a file where the folder should be")
        try failing(.sandboxUnwritable) { try file.read() }
        try failing(.sandboxUnwritable) { try file.stamps }
    }

    @Test("The identity changes exactly if one of the files changes")
    func identity() throws {
        var seen = [try file.stamps]
        func note(_ change: () throws -> Void) throws {
            try change()
            let (identity, again) = (try file.stamps, try file.stamps)
            #expect(!seen.contains(identity))
            #expect(identity == again)
            seen.append(identity)
        }
        try note { try shipped.write(TrustSample.store().encoded()) }
        try note { try file.change(Self.adding(1, to: "org.other")) }
        try note { try file.change(Self.adding(2, to: "org.other")) }
        // Another file with the same content and size.
        try note { try FileSystem.replace(sandbox.trust, with: sandbox.trust.bytes) }
        try file.change { $0 }
        #expect(try file.stamps == seen.last)
        try note { try shipped.remove() }
        try sandbox.trust.remove()
        #expect(try file.stamps == seen.first)
    }

    @Test("The sandbox's trust file is its owner's alone unless shared, and an interrupted change's file is replaced")
    func mode() throws {
        try sandbox.trust.parent.appending(".trust.json.new").write("half")
        try file.change(Self.adding(0))
        func mode() throws -> Int? {
            let path = sandbox.trust.string
            return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode() == 0o600)
        #expect(try sandbox.trust.parent.names == ["trust.json"])
        chmod(sandbox.trust.string, 0o444)
        try file.change(Self.adding(1, to: "org.other"))
        #expect(try mode() == 0o444)
    }

    private let host = TestHost()

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
        let policy = try #require(host.manager.policy.planner.verification as? TeamVerification)
        _ = try policy.requireLoadable(bundle)
        let source = Array(SamplePackage(appGroups: ["group.org.acme"]).manifest.utf8)
        let manifest = try ManifestReader.read(source, of: "manifest.json")
        let other = PluginBundle(manifest, digest: bundle.digest, size: 0, installedAt: 0, seal: bundle.seal)
        try failing(.groupForeign) { try policy.requireLoadable(other) }
        try trust("com.example.shared", in: host)
        try failing(.groupForeign, of: "\(TestHost.shop)@1.0.0") { try policy.requireLoadable(bundle) }
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

    @Test("A host that names a team trusts it, and a text that is no key is refused")
    func namedTeam() throws {
        let trusting: TeamVerification = try .team("com.example", TestTeam.key.get().publicKey.text)
        #expect(try trusting.trustsAnyone())
        try failing(.trustConflict, because: "publicKeyForm") {
            let _: TeamVerification = try .team("com.example", "a\nb")
        }
    }
}
