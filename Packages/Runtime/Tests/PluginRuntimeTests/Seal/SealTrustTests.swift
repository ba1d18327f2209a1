import PluginCore
import Signing
import Testing
@testable import BundleFormat
@testable import Trust

@Suite("Seals checked against a trust store", .tags(.medium))
struct SealTrustTests {
    private let fixture: SealedFixture
    private let trusting: TrustStore

    init() throws {
        fixture = try SealedFixture()
        trusting = try TrustStore.empty.adding(
            team: "com.example", name: nil, prefixes: ["com.example"], key: fixture.key.publicKey)
    }

    /// Returns the error code for the package and its unpacked folder, which must agree.
    private func code(
        _ store: TrustStore, _ fixture: SealedFixture? = nil, for purpose: VerificationPurpose = .install
    ) throws -> AtriumError.Code? {
        let fixture = fixture ?? self.fixture
        return try withFolderNow { folder in
            let path = try fixture.write(to: folder)
            let place = try fixture.install(in: folder)
            let authority = SignatureVerification.trust(store, purpose, at: SealedFixture.time)
            let codes = [
                SealReport(of: path, by: authority).findings.map(\.code),
                try SealedFolder(place).report(by: authority).findings.map(\.code),
            ]
            #expect(codes[0] == codes[1] && codes[0].count <= 1)
            do throws(AtriumError) {
                try SealedPackage(opening: path).verify(by: .trust(store, purpose, at: SealedFixture.time))
                #expect(codes[0] == [])
                return nil
            } catch {
                #expect(codes[0] == [error.code])
                return error.code
            }
        }
    }

    @Test("A package is accepted if a key of the team that owns its identifier has signed it, and no other")
    func unknown() throws {
        #expect(try code(trusting) == nil)
        #expect(try code(trusting, for: .load) == nil)
        #expect(try code(.empty) == .teamUnknown)
        let other = try TrustStore.empty.adding(
            team: "com.example", name: nil, prefixes: ["com.example"], key: SigningKey.generate().publicKey)
        #expect(try code(other) == .teamUnknown)
    }

    @Test("A package is rejected if another team owns its identifier")
    func foreign() throws {
        let conflictingRoute = try SealedFixture()
        var signed = fixture
        signed.key = conflictingRoute.key
        signed.team = "com.rival"
        let both = try trusting.adding(
            team: "com.rival", name: nil, prefixes: ["com.rival"], key: conflictingRoute.key.publicKey)
        #expect(try code(both, signed) == .teamForeign)
        // Naming the owning team in the seal doesn't help: the key isn't one of its keys.
        signed.team = "com.example"
        #expect(try code(both, signed) == .teamUnknown)
    }

    @Test("A revoked key is rejected for installing and loading, a retired key for installing only")
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

    @Test("A signature that doesn't match the seal is rejected")
    func forged() throws {
        var forged = fixture
        var other = fixture
        other.files = [:]
        forged.signature = try other.signed().signature
        #expect(try code(trusting, forged) == .signatureInvalid)
    }
}
