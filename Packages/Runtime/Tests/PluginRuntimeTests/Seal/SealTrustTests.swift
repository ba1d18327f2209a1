import PluginCore
import PluginRuntime
import Signing
import Testing

@Suite("A seal before a trust store")
struct SealTrustTests {
    private let fixture: SealedFixture
    private let trusting: TrustStore

    init() throws {
        fixture = try SealedFixture()
        trusting = try TrustStore.empty.adding(
            team: "com.example", name: nil, prefixes: ["com.example"], key: fixture.key.publicKey)
    }

    /// What a store says of the package, of the folder and when asked alone, which must be the same.
    private func code(
        _ store: TrustStore, for purpose: TrustStore.Purpose = .install, _ fixture: SealedFixture? = nil
    ) throws -> AtriumError.Code? {
        let fixture = fixture ?? self.fixture
        return try withFolderNow { folder in
            let path = try fixture.write(to: folder)
            let place = try fixture.install(in: folder)
            let authority = SealAuthority.trust(store, purpose, at: SealedFixture.time)
            let codes = [
                SealVerdict(of: path, by: authority).findings.map(\.code),
                try SealedFolder(place).verdict(by: authority).findings.map(\.code),
            ]
            #expect(codes[0] == codes[1] && codes[0].count <= 1)
            do throws(AtriumError) {
                try SealedPackage(opening: path).verify(by: store, for: purpose, at: SealedFixture.time)
                #expect(codes[0] == [])
                return nil
            } catch {
                #expect(codes[0] == [error.code])
                return error.code
            }
        }
    }

    @Test("passes when the team owns the name and has signed")
    func trusted() throws {
        #expect(try code(trusting) == nil)
        #expect(try code(trusting, for: .load) == nil)
    }

    @Test("is refused when nobody knows the team, or the team's key is another")
    func unknown() throws {
        #expect(try code(.empty) == .teamUnknown)
        let other = try TrustStore.empty.adding(
            team: "com.example", name: nil, prefixes: ["com.example"], key: SigningKey.generate().publicKey)
        #expect(try code(other) == .teamUnknown)
    }

    @Test("is refused when the name is another team's")
    func foreign() throws {
        let rival = try SealedFixture()
        var signed = fixture
        signed.key = rival.key
        signed.team = "com.rival"
        let both = try trusting.adding(
            team: "com.rival", name: nil, prefixes: ["com.rival"], key: rival.key.publicKey)
        #expect(try code(both, signed) == .teamForeign)
        // A rival who says to be the team is none of its keys.
        signed.team = "com.example"
        #expect(try code(both, signed) == .teamUnknown)
    }

    @Test("is refused, also when it loads, once its key was revoked; and when it is new, once the key's time was over")
    func keys() throws {
        let id = fixture.key.publicKey.id
        let revoked = try trusting.revoking(key: id, reason: "lost", at: SealedFixture.time)
        #expect(try code(revoked) == .keyRevoked)
        #expect(try code(revoked, for: .load) == .keyRevoked)
        let next = try SigningKey.generate().publicKey
        let rotated = try trusting.rotating(team: "com.example", to: next, overlap: 0, now: SealedFixture.time)
        #expect(try code(rotated) == .keyRetired)
        #expect(try code(rotated, for: .load) == nil)
    }

    @Test("is refused by a signature that its team's key has not made")
    func forged() throws {
        var forged = fixture
        var other = fixture
        other.files = [:]
        forged.signature = try other.signed().signature
        #expect(try code(trusting, forged) == .signatureInvalid)
    }

    private func code(_ store: TrustStore, _ fixture: SealedFixture) throws -> AtriumError.Code? {
        try code(store, for: .install, fixture)
    }
}
