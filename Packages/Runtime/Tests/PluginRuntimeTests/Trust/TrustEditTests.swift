import PluginCore
import BundleFormat
import Testing

@testable import Trust
@testable import HostSystem
@testable import PluginRuntime
@testable import Signing

@Suite("Changes to a trust store", .tags(.small))
struct TrustEditTests {
    @Test("Adding the same team and key twice changes nothing")
    func twice() throws {
        let store = try TrustSample.store()
        let again = try store.adding(team: "com.example", name: nil, prefixes: ["com.example"], key: TrustSample.key(0))
        #expect(again == store)
        #expect(
            try store.adding(team: "com.example", name: "New", prefixes: [], key: TrustSample.key(0)).teams[0].name
                == "New")
    }

    @Test("A team with an invalid name, or with a prefix or key of another team, isn't added")
    func conflicts() throws {
        let store = try TrustSample.store()
        let (known, fresh) = (try TrustSample.key(0), try TrustSample.key(1))
        for (team, prefixes, key, subject) in [
            ("org.other", ["com.example"], fresh, "com.example"),
            ("org.other", ["org.other"], known, "\(known.id)"),
            ("org.other", ["com"], fresh, "com"),
            ("org.other", ["org.other."], fresh, "org.other."),
            ("org.other", ["org.*"], fresh, "org.*"),
            ("org.other", [""], fresh, ""),
            ("other", ["org.other"], fresh, "other"),
            ("", ["org.other"], fresh, ""),
            ("org/../other", ["org.other"], fresh, "org/../other"),
        ] {
            try failing(.trustConflict, of: subject) {
                try store.adding(team: team, name: nil, prefixes: prefixes, key: key)
            }
        }
        try failing(.trustIncomplete, of: "org.other") {
            try store.adding(team: "org.other", name: nil, prefixes: [], key: fresh)
        }
    }

    @Test("A key has one ID in a team, and an ID belongs to one key")
    func ids() throws {
        let store = try TrustSample.store()
        let bytes = try (TrustSample.key(0), TrustSample.key(1))
        let otherID = try VerifyingKey(id: bytes.1.id, point: bytes.0.point)
        let otherPoint = try VerifyingKey(id: bytes.0.id, point: bytes.1.point)
        for key in [otherID, otherPoint] {
            try failing(.trustConflict) { try store.adding(team: "com.example", name: nil, prefixes: [], key: key) }
        }
    }

    @Test("A revoked key cannot be added or rotated to again, not even under another ID")
    func comeback() throws {
        let store = try TrustSample.store().revoking(team: "com.example", reason: "stolen", at: 0)
        let renamed = try VerifyingKey(id: TrustSample.key(1).id, point: TrustSample.key(0).point)
        for key in [try TrustSample.key(0), renamed] {
            try failing(.trustRevoked, of: "\(key.id)") {
                try store.adding(team: "com.example", name: nil, prefixes: [], key: key)
            }
            try failing(.trustRevoked) { try store.rotating(team: "com.example", to: key, overlap: 0, now: 0) }
        }
    }

    @Test("A second revocation keeps the time and reason of the first")
    func revokedTwice() throws {
        let store = try TrustSample.store().revoking(team: "com.example", reason: "stolen", at: 10)
        #expect(try store.revoking(team: "com.example", reason: "late", at: 20) == store)
        #expect(try store.revoking(key: TrustSample.key(0).id, reason: "late", at: 20) == store)
    }

    @Test("Rotating never extends the validity of an old key, and an overlap ends at the latest possible time")
    func rotations() throws {
        let store = try TrustSample.store()
            .rotating(team: "com.example", to: TrustSample.key(1), overlap: 100, now: 0)
            .rotating(team: "com.example", to: TrustSample.key(2), overlap: 1_000, now: 0)
        #expect(store.teams[0].keys.map(\.validUntil) == [100, 1_000, nil])
        let long = try store.rotating(team: "com.example", to: TrustSample.key(1), overlap: .max, now: 1)
        #expect(long.teams[0].keys.map(\.validUntil) == [100, nil, UTCTime.range.upperBound])
        let negative = try store.rotating(team: "com.example", to: TrustSample.key(2), overlap: -5, now: 50)
        #expect(negative.teams[0].keys.map(\.validUntil) == [50, 50, nil])
        #expect(try TrustStore(reading: long.encoded(), named: "x") == long)
    }

    @Test("Changing an unknown team or key fails and suggests the nearest team")
    func unknown() throws {
        let store = try TrustSample.store()
        let key = store.teams[0].keys[0].key
        for change in [
            { try store.revoking(team: "com.exampel", reason: "x", at: 0) },
            { try store.rotating(team: "com.exampel", to: key, overlap: 0, now: 0) },
        ] as [() throws -> TrustStore] { #expect(try failing(.trustUnknown, change).nearest == ["com.example"]) }
        let id = try TrustSample.key(2).id
        try failing(.trustUnknown, of: "E7620F1842B4E81F") { try store.revoking(key: id, reason: "x", at: 0) }
    }

    @Test("Merging unites two stores, keeps revocations and earlier ends of validity, and prefers the first store")
    func merging() throws {
        let (one, two, three) = (try TrustSample.key(0), try TrustSample.key(1), try TrustSample.key(2))
        let shipped = try TrustSample.store()
            .adding(team: "com.example", name: nil, prefixes: ["com.example.lab"], key: two)
            .rotating(team: "com.example", to: two, overlap: 100, now: 0)
        let own = try TrustStore.empty
            .adding(team: "com.example", name: "Mine", prefixes: ["net.example"], key: one)
            .adding(team: "org.other", name: "Other", prefixes: ["org.other", "com.example.lab"], key: three)

        let merged = shipped.merged(with: own)
        #expect(merged.teams.map(\.identifier) == ["com.example", "org.other"])
        #expect(merged.teams[0].name == "Example")
        #expect(merged.teams[0].prefixes == ["com.example", "com.example.lab", "net.example"])
        #expect(merged.teams[0].keys.map(\.validUntil) == [100, nil])
        #expect(merged.teams[1].prefixes == ["org.other"] && merged.merged(with: own) == merged)
        #expect(shipped.merged(with: .empty) == shipped)
        #expect(TrustStore.empty.merged(with: shipped) == shipped)

        // A revocation counts in either store and under any team.
        let revoked = try shipped.revoking(key: one.id, reason: "stolen", at: 7)
        #expect(try shipped.merged(with: revoked).report(0, for: .load) == "keyRevoked")
        #expect(try revoked.merged(with: shipped).report(0, for: .load) == "keyRevoked")
        let foreign = try TrustStore.empty.adding(team: "org.other", name: nil, prefixes: ["org.other"], key: one)
            .revoking(team: "org.other", reason: "stolen", at: 7)
        #expect(try shipped.merged(with: foreign).report(0, for: .load) == "keyRevoked")
        #expect(try shipped.merged(with: foreign).report(0, of: "org.other", on: "org.other") == "teamUnknown")
        let earlier = try shipped.revoking(key: one.id, reason: "first", at: 3)
        #expect(revoked.merged(with: earlier).teams[0].keys[0].revocation?.reason == "first")
    }
}
