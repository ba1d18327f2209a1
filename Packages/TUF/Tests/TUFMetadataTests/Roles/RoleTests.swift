import HostSystem
import Testing
import TUFMetadata

@Suite("Roles", .tags(.small))
struct RoleTests {
    private static let common = #""spec_version":"1.0.31","version":3,"expires":"2030-01-01T00:00:00Z""#

    private func read<Content: RoleContent>(_ type: Content.Type, _ signed: String) throws -> SignedMetadata<Content> {
        try SignedMetadata(Array(#"{"signatures":[],"signed":\#(signed)}"#.utf8))
    }

    private func delegated(_ delegation: String) throws -> SignedMetadata<Targets> {
        try read(
            Targets.self,
            #"{"_type":"targets",\#(Self.common),"targets":{},"delegations":{"keys":{},"roles":[\#(delegation)]}}"#)
    }

    @Test("keep fields that are not known, and are written as they were read")
    func unknownFields() throws {
        let text =
            #"{"_type":"targets","delegations":{"keys":{},"new":1,"roles":[{"keyids":[],"name":"a","new":2,"paths":["*"],"terminating":true,"threshold":1}]},"expires":"2030-01-01T00:00:00Z","new":{"b":[1]},"spec_version":"1.0.31","targets":{"t":{"custom":{"x":"y"},"hashes":{"blake2":"00","sha256":"aa"},"length":0,"new":null}},"version":3}"#
        let metadata = try read(Targets.self, text)
        #expect(String(decoding: JSONValue.object(metadata.content.json).text, as: UTF8.self) == text)
        #expect(metadata.content["t"]?.custom?["x"] == "y")
    }

    @Test(
        "refuse another type, another specification and missing fields",
        arguments: [
            #"{"_type":"snapshot",\#(common),"meta":{"snapshot.json":{"version":1}}}"#,
            #"{"_type":"timestamp","spec_version":"2.0.0","version":3,"expires":"2030-01-01T00:00:00Z","meta":{"snapshot.json":{"version":1}}}"#,
            #"{"_type":"timestamp","spec_version":"1","version":3,"expires":"2030-01-01T00:00:00Z","meta":{"snapshot.json":{"version":1}}}"#,
            #"{"_type":"timestamp","spec_version":"1.0.0","version":0,"expires":"2030-01-01T00:00:00Z","meta":{"snapshot.json":{"version":1}}}"#,
            #"{"_type":"timestamp","spec_version":"1.0.0","version":"1","expires":"2030-01-01T00:00:00Z","meta":{"snapshot.json":{"version":1}}}"#,
            #"{"_type":"timestamp","spec_version":"1.0.0","version":1,"expires":"tomorrow","meta":{"snapshot.json":{"version":1}}}"#,
            #"{"_type":"timestamp",\#(common),"meta":{}}"#,
            #"{"_type":"timestamp",\#(common),"meta":{"snapshot.json":{"version":1},"targets.json":{"version":1}}}"#,
            #"{"_type":"timestamp",\#(common),"meta":{"snapshot.json":{"version":1,"hashes":{}}}}"#,
            #"{"_type":"timestamp",\#(common),"meta":{"snapshot.json":{"version":1,"length":-1}}}"#,
            #"{"_type":"timestamp",\#(common)}"#, "{}", "[]", "null",
        ])
    func refusals(_ signed: String) {
        #expect(throws: TUFError.self) { try read(Timestamp.self, signed) }
    }

    @Test("a root needs all four roles, with keys that occur once and positive thresholds")
    func rootRoles() throws {
        func root(_ roles: String) -> String { #"{"_type":"root",\#(Self.common),"keys":{},"roles":{\#(roles)}}"# }
        let role = #"{"keyids":["a"],"threshold":1}"#
        let all = #""root":\#(role),"timestamp":\#(role),"snapshot":\#(role),"targets":"#
        _ = try read(Root.self, root(all + role))
        for wrong in [
            #"{"keyids":["a","a"],"threshold":1}"#, #"{"keyids":["a"],"threshold":0}"#,
            #"{"keyids":[1],"threshold":1}"#, "{}", "1",
        ] {
            #expect(throws: TUFError.self) { try read(Root.self, root(all + wrong)) }
        }
        #expect(throws: TUFError.self) { try read(Root.self, root(#""root":\#(role)"#)) }
    }

    @Test("a delegation is not named as a top-level role", arguments: ["root", "timestamp", "snapshot", "targets", ""])
    func topLevelName(_ name: String) throws {
        #expect(throws: TUFError.self) {
            try delegated(#"{"keyids":[],"name":"\#(name)","paths":["*"],"terminating":true,"threshold":1}"#)
        }
    }

    @Test("a delegation has paths or prefixes of hashes, and one name")
    func delegationForm() throws {
        let form = #"{"keyids":[],"name":"a","terminating":true,"threshold":1"#
        _ = try delegated(form + #","paths":[]}"#)
        _ = try delegated(form + #","path_hash_prefixes":[]}"#)
        #expect(throws: TUFError.self) { try delegated(form + "}") }
        #expect(throws: TUFError.self) { try delegated(form + #","paths":[],"path_hash_prefixes":[]}"#) }
        #expect(throws: TUFError.self) { try delegated(form + #","paths":[]},"# + form + #","paths":[]}"#) }
    }

    @Test("a delegation by hash prefixes covers the paths whose digests begin with them")
    func hashPrefixes() throws {
        // SHA-256 of "a" is ca978112...
        func covers(_ prefixes: [String]) throws -> Bool {
            try Delegation(to: "x", keys: RoleKeys(ids: [], threshold: 1), scope: .hashPrefixes(prefixes)).covers("a")
        }
        #expect(try covers(["00", "ca97"]))
        #expect(try covers([""]))
        #expect(try !covers(["cb", "CA", "ca9781120"]))
        #expect(try !covers([]))
    }

    @Test("hashes need one that is known, and all known ones must match")
    func hashes() throws {
        let bytes = Array("abc".utf8)
        let both = try Hashes(of: bytes, [.sha256, .sha512])
        try both.verify(bytes)
        #expect(throws: TUFError.self) { try both.verify([]) }
        var known = both.known
        known[.sha512] = String(repeating: "0", count: 128)
        #expect(throws: TUFError.self) { try Hashes(known).verify(bytes) }
        #expect(throws: TUFError.self) { try Hashes([:]).verify(bytes) }
    }

    @Test("never trap on damaged metadata")
    func damage() throws {
        let key = try SecretKey.generate(.ed25519)
        var root = Root(expires: UTCTime(seconds: 2_000_000_000))
        root.keys[key.publicKey.id] = key.publicKey
        for role in TopLevelRole.allCases { root.roles[role] = RoleKeys(ids: [key.publicKey.id], threshold: 1) }
        let bytes = try SignedMetadata(root).signed(by: [key]).bytes
        _ = try SignedMetadata<Root>(bytes)
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                damaged[Int.random(in: 0..<damaged.count)] = "0123456789{}[]\",:ae\\".utf8.randomElement() ?? 0
            }
            if let read = try? SignedMetadata<Root>(damaged) {
                _ = try? read.verify(by: read.content.keys, role: read.content.keys(of: .root))
            }
        }
    }
}
