import HostSystem
import PluginCore
import Testing

@testable import Trust

@Suite("Trust store files", .tags(.small))
struct TrustReadingTests {
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

    @Test(
        "A revocation that isn't an object is rejected instead of being treated as absent",
        arguments: ["true", "null", "\"yes\"", "[]"])
    func noObject(_ value: String) throws {
        let text = Self.text.replacing(
            #/"revoked" : {[^}]*}/#, with: "\"revoked\" : \(value)")
        try failing(.trustInvalid) { try TrustStore(reading: Array(text.utf8), named: "trust.json") }
    }

    @Test(
        "Text that isn't a trust store document is rejected",
        arguments: [
            "", "null", "[]", "1", "\"x\"", "{", "{}", "{\"formatVersion\":1}", "{\"formatVersion\":1,\"teams\":{}}",
            "\0",
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

    @Test("A file above the size limit is rejected without being parsed")
    func tooLarge() throws {
        let bytes = Array(Self.text.utf8) + [UInt8](repeating: 0x20, count: TrustStore.sizeLimit)
        try failing(.trustInvalid) { try TrustStore(reading: bytes, named: "x") }
    }
}
