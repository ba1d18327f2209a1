import Signing
import BundleFormat
import PluginCore
import Testing

@testable import Trust

@Suite("Trust decisions of a store", .tags(.small))
struct TrustValidationTests {
    @Test("Only a team's own key is accepted for the team, and an empty store trusts nobody")
    func keys() throws {
        let store = try TrustSample.store().adding(
            team: "org.other", name: nil, prefixes: ["org.other"], key: TrustSample.key(1))
        #expect(try TrustStore.empty.report(0) == "teamUnknown")
        #expect(try store.report(0) == "passes")
        #expect(try store.report(1) == "teamUnknown")
        #expect(try store.report(2) == "teamUnknown")
        #expect(try store.report(0, of: "org.other", on: "org.other") == "teamUnknown")
        #expect(try store.report(0, of: "com.exampl") == "teamUnknown")
        #expect(try store.report(0, of: "") == "teamUnknown")
    }

    @Test(
        "A prefix owns itself and every name that continues it after a dot",
        arguments: [
            ("com.example", "passes"), ("com.example.shop", "passes"), ("com.example.a.b.c", "passes"),
            ("com.example2", "teamForeign"), ("com.exampleshop", "teamForeign"), ("com.exampl", "teamForeign"),
            ("com.example-shop", "teamForeign"), ("x.com.example.shop", "teamForeign"),
        ])
    func prefixes(identifier: BundleIdentifier, report: String) throws {
        #expect(try TrustSample.store().report(0, on: identifier) == report)
    }

    @Test(
        "A prefix owns no name that is spelled in another way",
        arguments: ["com", "", "COM.EXAMPLE.shop", "com.examplé.shop", "com.example\u{301}.shop"])
    func foreign(name: String) throws {
        #expect(try TrustSample.store().owner(of: name) == nil)
    }

    @Test("The longer of two nested prefixes wins, whichever team owns it")
    func nested() throws {
        let store = try TrustSample.store().adding(
            team: "com.example.partner", name: nil, prefixes: ["com.example.shop"], key: TrustSample.key(1))
        #expect(try store.report(0, on: "com.example.shop") == "teamForeign")
        #expect(try store.report(0, on: "com.example.shop.cart") == "teamForeign")
        #expect(try store.report(0, on: "com.example.shopping") == "passes")
        #expect(try store.report(1, of: "com.example.partner", on: "com.example.shop.cart") == "passes")
        #expect(try store.report(1, of: "com.example.partner", on: "com.example") == "teamForeign")
        try failing(
            .teamForeign,
            because:
                "identifierOfOtherTeam(identifier: com.example.shop, owner: com.example.partner, team: com.example)",
            of: "shop.zip"
        ) {
            try store.validate(
                keyID: store.teams[0].keys[0].key.id, team: "com.example", identifier: "com.example.shop",
                subject: "shop.zip", purpose: .load, at: 0)
        }
    }

    @Test("A retired key allows no new installs, but what it has signed is still loaded")
    func retired() throws {
        let store = try TrustSample.store().rotating(
            team: "com.example", to: TrustSample.key(1), overlap: 100, now: 1_000)
        for (time, report) in [(1_099, "passes"), (1_100, "keyRetired"), (9_999, "keyRetired")] as [(Int64, String)] {
            #expect(try store.report(0, for: .install, at: time) == report)
            #expect(try store.report(0, for: .load, at: time) == "passes")
            #expect(try store.report(1, for: .install, at: time) == "passes")
        }
        // A retired key still cannot sign for another team's name.
        #expect(try store.report(0, on: "org.other", for: .load, at: 9_999) == "teamForeign")
    }

    @Test(
        "A revoked key allows neither installing nor loading, and the error names the reason", arguments: [true, false])
    func revoked(isTeam: Bool) throws {
        let store = try TrustSample.store()
        let revoked =
            try isTeam
            ? store.revoking(team: "com.example", reason: "stolen", at: 500)
            : store.revoking(key: TrustSample.key(0).id, reason: "stolen", at: 500)
        for purpose in [VerificationPurpose.install, .load] {
            // The clock doesn't matter because the time of a signature cannot be trusted.
            for time: Int64 in [0, 499, 500, 1_000] {
                #expect(try revoked.report(0, for: purpose, at: time) == "keyRevoked")
            }
        }
        try failing(
            .keyRevoked, because: "keyRevokedAt(comment: stolen, key: ACC4C1FA6F30169F, time: 1970-01-01T00:08:20Z)"
        ) {
            try revoked.validate(
                keyID: revoked.teams[0].keys[0].key.id, team: "com.example", identifier: "com.example.x", subject: "x",
                purpose: .load, at: 0)
        }
    }

    @Test("A revocation is reported before any other objection to the same key")
    func order() throws {
        let store = try TrustSample.store()
            .rotating(team: "com.example", to: TrustSample.key(1), overlap: 0, now: 0)
            .revoking(key: TrustSample.key(0).id, reason: "stolen", at: 0)
        #expect(try store.report(0, on: "org.other", at: 9_999) == "keyRevoked")
        #expect(try store.report(1) == "passes")
    }
}
