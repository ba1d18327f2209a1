import BundleFormat
import PluginCore
import Testing
@testable import HostSystem
@testable import PluginRuntime
@testable import Signing
@testable import Trust

@Suite("Files, decisions and changes of a trust store", .tags(.small))
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

    @Test("A retired key allows no new installs, but what it has signed is still loaded, unless it is revoked, too")
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
        // A revocation is reported before any other objection to the same key.
        let revoked = try store.revoking(key: TrustSample.key(0).id, reason: "stolen", at: 0)
        #expect(try revoked.report(0, on: "org.other", at: 9_999) == "keyRevoked")
        #expect(try revoked.report(1) == "passes")
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

    @Test("Adding the same team and key twice changes nothing, and a second revocation keeps the first")
    func twice() throws {
        let store = try TrustSample.store()
        let again = try store.adding(team: "com.example", name: nil, prefixes: ["com.example"], key: TrustSample.key(0))
        #expect(again == store)
        #expect(
            try store.adding(team: "com.example", name: "New", prefixes: [], key: TrustSample.key(0)).teams[0].name
                == "New")
        let revoked = try store.revoking(team: "com.example", reason: "stolen", at: 10)
        #expect(try revoked.revoking(team: "com.example", reason: "late", at: 20) == revoked)
        #expect(try revoked.revoking(key: TrustSample.key(0).id, reason: "late", at: 20) == revoked)
    }

    @Test("A team with an invalid name, a prefix or key of another team, or a key under another ID isn't added")
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
        // A key has one ID in a team, and an ID belongs to one key.
        for key in try [VerifyingKey(id: fresh.id, point: known.point), VerifyingKey(id: known.id, point: fresh.point)]
        {
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

    static let text = """
        {
          "formatVersion" : 1,
          "teams" : [
            {
              "keys" : [
                {
                  "key" : "\(TrustSample.keys[0])",
                  "validUntil" : "2026-11-21T12:00:00Z"
                },
                {
                  "key" : "\(TrustSample.keys[1])",
                  "revoked" : {
                    "at" : "2026-11-20T00:00:00Z",
                    "reason" : "stolen \\"laptop\\" in Zürich/CH"
                  }
                }
              ],
              "name" : "Example",
              "prefixes" : [
                "com.example",
                "net.example"
              ],
              "team" : "com.example"
            },
            {
              "keys" : [

              ],
              "name" : "",
              "prefixes" : [

              ],
              "team" : "org.other"
            }
          ]
        }

        """

    @Test("Writing and reading a trust store round-trips to the byte")
    func roundTrip() throws {
        let store = try TrustStore(reading: Array(Self.text.utf8), named: "trust.json")
        #expect(String(decoding: store.encoded(), as: UTF8.self) == Self.text)
        #expect(store.teams[0].keys[0].validUntil == 1_795_262_400)
        #expect(store.teams[0].keys[1].revocation?.reason == "stolen \"laptop\" in Zürich/CH")
        #expect(try TrustStore(reading: TrustStore.empty.encoded(), named: "x") == .empty)
    }

    @Test("Equal stores encode to equal files, whatever the order of the changes")
    func deterministic() throws {
        func added(_ order: [Int]) throws -> TrustStore {
            try order.reduce(TrustStore.empty) { store, index in
                let team = ["com.a", "com.b", "com.c"][index]
                return try store.adding(
                    team: team, name: nil, prefixes: index == 0 ? ["z.z", "a.a"] : [team], key: TrustSample.key(index))
            }
        }
        let files = try [[0, 1, 2], [2, 1, 0], [1, 0, 2]].map { try added($0).encoded() }
        #expect(Set(files).count == 1)
    }

    /// The text to replace in a valid file, its replacement, and the problem at each place.
    static let invalid: [(find: String, put: String, problems: KeyValuePairs<String, String>)] = [
        (#""formatVersion" : 1,"#, "", ["formatVersion": "fieldMissing"]),
        ("Version\" : 1", "Version\" : 2", ["formatVersion": "formatTooNew(format: 2)"]),
        (#"org.other""#, #"org.other", "prefix": []"#, ["teams[1].prefix": "fieldMisspelled(nearest: prefixes)"]),
        ("\"revoked\"", "\"revokd\"", ["teams[0].keys[1].revokd": "fieldMisspelled(nearest: revoked)"]),
        ("org.other", "com.example", ["teams[1].team": "teamTwice(team: com.example)"]),
        ("org.other", "other", ["teams[1].team": "notTeamName(text: other)"]),
        ("net.example", "com.example", ["teams[0].prefixes[1]": "prefixTwice(prefix: com.example)"]),
        ("net.example", "net", ["teams[0].prefixes[1]": "notTeamName(text: net)"]),
        ("net.example", "net.*", ["teams[0].prefixes[1]": "notTeamName(text: net.*)"]),
        (
            TrustSample.keys[1], TrustSample.keys[0],
            ["teams[0].keys[1].key": "keyTwice", "teams[0].keys[1].key": "keyIDTwice(key: ACC4C1FA6F30169F)"]
        ),
        (TrustSample.keys[1], "RWQrpp07", ["teams[0].keys[1].key": "publicKeyLength"]),
        // Anybody can sign with this key.
        (TrustSample.keys[1], "RWQ" + String(repeating: "A", count: 53), ["teams[0].keys[1].key": "publicKeyWeak"]),
        ("12:00:00Z", "12:00:00", ["teams[0].keys[0].validUntil": "notTime(text: 2026-11-21T12:00:00)"]),
        ("2026-11-20T", "2026-02-30T", ["teams[0].keys[1].revoked.at": "notTime(text: 2026-02-30T00:00:00Z)"]),
        (#""at" : "2026-11-20T00:00:00Z","#, "", ["teams[0].keys[1].revoked.at": "fieldMissing"]),
        ("\"2026-11-21T12:00:00Z\"", "1795262400", ["teams[0].keys[0].validUntil": "stringExpected"]),
    ]

    @Test("A file that breaks a rule is rejected with the place of each problem", arguments: invalid)
    func broken(find: String, put: String, problems: KeyValuePairs<String, String>) throws {
        let text = Self.text.replacing(find, with: put)
        let error = try failing(.trustInvalid) { try TrustStore(reading: Array(text.utf8), named: "trust.json") }
        #expect(error.subject == "trust.json")
        #expect(error.problems.map(\.description) == problems.map { "at(place: \($0), problem: \($1))" })
    }

    @Test("Every problem of a file is reported at once")
    func allAtOnce() throws {
        let text = Self.text.replacing("net.example", with: "net").replacing("org.other", with: "x")
            .replacing("12:00:00Z", with: "").replacing(TrustSample.keys[1], with: "")
        let error = try failing(.trustInvalid) { try TrustStore(reading: Array(text.utf8), named: "trust.json") }
        #expect(error.problems.count == 4)
    }

    @Test("A revocation that isn't an object is rejected, not ignored", arguments: ["true", "null", "\"yes\"", "[]"])
    func noObject(_ value: String) throws {
        let text = Self.text.replacing(
            #/"revoked" : {[^}]*}/#, with: "\"revoked\" : \(value)")
        try failing(.trustInvalid) { try TrustStore(reading: Array(text.utf8), named: "trust.json") }
    }

    @Test(
        "Text that isn't a trust store document, or is above the size limit, is rejected",
        arguments: [
            "", "null", "[]", "1", "\"x\"", "{", "{}", "{\"formatVersion\":1}", "{\"formatVersion\":1,\"teams\":{}}",
            "\0", text + String(repeating: " ", count: TrustStore.sizeLimit),
        ])
    func noDocument(_ text: String) throws {
        try failing(.trustInvalid) { try TrustStore(reading: Array(text.utf8), named: "x") }
    }

    @Test("A file that is truncated at any byte is rejected")
    func cutShort() throws {
        let bytes = Array(Self.text.utf8)
        for count in 0..<(bytes.count - 2) {
            try failing(.trustInvalid) { try TrustStore(reading: Array(bytes[..<count]), named: "x") }
        }
    }
}

/// Keys that are the same in every run, and trust stores that contain them.
enum TrustSample {
    static let keys = [
        "RWSfFjBv+sHErNmPKF4IxvPDuT/UM0hxRC1sd+Us6mHTvaRYUsmTNEoU",
        "RWQrpp07wtSpswXYw8DFmaq9xee+24ormKtuYKaQZcEciFCXtWrvbKom",
        "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3",
    ]

    static func key(_ index: Int) throws -> VerifyingKey { try VerifyingKey(keys[index]) }

    /// Returns a store with one team, `com.example`, and the first key.
    static func store() throws -> TrustStore {
        try TrustStore.empty.adding(team: "com.example", name: "Example", prefixes: ["com.example"], key: key(0))
    }
}

extension TrustStore {
    /// Returns the text of the key that may sign a bundle, or the code of the error that rejects it.
    func report(
        _ key: Int, of team: String = "com.example", on identifier: BundleIdentifier = "com.example.shop",
        for purpose: VerificationPurpose = .install, at time: Int64 = 1_000
    ) throws -> String {
        let id = try TrustSample.key(key).id
        do throws(AtriumError) {
            return try validate(
                keyID: id, team: team, identifier: identifier, subject: "shop", purpose: purpose, at: time
            ).base64 == TrustSample.keys[key] ? "passes" : "another key"
        } catch {
            return error.code.name
        }
    }
}
