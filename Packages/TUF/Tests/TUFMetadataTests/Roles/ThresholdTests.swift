import HostSystem
import Testing
import TUFMetadata

@Suite("Thresholds", .tags(.small))
struct ThresholdTests {
    private let content = Targets(expires: UTCTime(seconds: 2_000_000_000))

    private func keys(_ keys: [SecretKey]) -> [String: PublicKey] {
        var all: [String: PublicKey] = [:]
        for key in keys { all[key.publicKey.id] = key.publicKey }
        return all
    }

    @Test(
        "count the keys of the role that have signed",
        arguments: [
            (3, [0, 1, 2], true), (3, [0, 1], false), (1, [2], true), (1, [3], false), (2, [2, 3, 4], false),
        ])
    func counting(_ threshold: Int, _ signers: [Int], _ isSigned: Bool) throws {
        let all = try (0..<5).map { _ in try SecretKey.generate(.ed25519) }
        let role = RoleKeys(ids: all[..<3].map(\.publicKey.id), threshold: threshold)
        let signed = try SignedMetadata(content).signed(by: signers.map { all[$0] })
        #expect(((try? signed.verify(by: keys(all), role: role)) != nil) == isSigned)
    }

    @Test("need different keys, not different identifiers")
    func sameKeyTwice() throws {
        for scheme in SignatureScheme.allCases {
            let key = try SecretKey.generate(scheme)
            // The same key with an additional field, and with another text: both have identifiers of their own.
            var json = key.publicKey.json
            json["note"] = "copy"
            var copies = [key.publicKey, try PublicKey(json: json)]
            if case .object(let value)? = json["keyval"], case .string(let text)? = value["public"] {
                copies.append(try PublicKey(scheme, public: scheme == .ed25519 ? text.uppercased() : "copy\n" + text))
            }
            #expect(Set(copies.map(\.id)).count == 3)
            let signature = try key.signature(of: SignedMetadata(content).payload)
            let signed = try SignedMetadata(content)
                .adding(copies.map { Signature(keyID: $0.id, text: signature.text) })
            let keys = Dictionary(copies.map { ($0.id, $0) }) { first, _ in first }
            let role = RoleKeys(ids: copies.map(\.id), threshold: 2)
            #expect(signed.signers(by: keys, role: role) == 1)
            #expect(throws: TUFError.self) { try signed.verify(by: keys, role: role) }
        }
    }

    @Test("do not count a key under the identifier of another one")
    func wrongIdentifier() throws {
        let key = try SecretKey.generate(.ed25519)
        let other = try SecretKey.generate(.ed25519)
        var delegations: JSONObject = JSONObject()
        var keys = JSONObject()
        keys[other.publicKey.id] = .object(key.publicKey.json)
        delegations["keys"] = .object(keys)
        delegations["roles"] = [
            [
                "name": "a", "keyids": [.string(other.publicKey.id)], "threshold": 1, "terminating": false,
                "paths": ["*"],
            ]
        ]
        let text: JSONValue = [
            "signatures": [],
            "signed": [
                "_type": "targets", "spec_version": "1.0.0", "version": 1, "expires": "2030-01-01T00:00:00Z",
                "targets": [:],
                "delegations": .object(delegations),
            ],
        ]
        let targets = try SignedMetadata<Targets>(text.text)
        #expect(targets.content.delegations?.keys.isEmpty == true)
        // The field stays, because the signature covers it.
        #expect(targets.content.delegations?.roles.count == 1)
    }

    @Test("an invalid signature beside enough valid ones does no harm", arguments: ["", "00", "zz", "é"])
    func invalidBesideValid(_ text: String) throws {
        let all = try [SecretKey.generate(.ed25519), SecretKey.generate(.ed25519)]
        let role = RoleKeys(ids: all.map(\.publicKey.id), threshold: 1)
        let signed = try SignedMetadata(content).signed(by: [all[0]])
            .adding([Signature(keyID: all[1].publicKey.id, text: text)])
        try signed.verify(by: keys(all), role: role)
    }

    @Test("two signatures of one key are refused")
    func repeatedSignature() throws {
        let key = try SecretKey.generate(.ed25519)
        let signature = try key.signature(of: SignedMetadata(content).payload)
        #expect(throws: TUFError.self) { try SignedMetadata(content).adding([signature, signature]) }
    }

    @Test("signatures of another content are not added")
    func otherContent() throws {
        let key = try SecretKey.generate(.ed25519)
        var other = content
        other.version = 2
        let signed = try SignedMetadata(other).signed(by: [key])
        #expect(throws: TUFError.self) { try SignedMetadata(content).adding(signaturesOf: signed) }
    }
}
