import HostSystem
import Testing
import TUFMetadata

@Suite("Secret keys", .tags(.small))
struct SecretKeyTests {
    @Test("are encrypted in files", arguments: SignatureScheme.allCases)
    func encryption(_ scheme: SignatureScheme) throws {
        let key = try SecretKey.generate(scheme)
        let pem = try key.pem(password: "correct horse")
        #expect(pem.hasPrefix("-----BEGIN ENCRYPTED PRIVATE KEY-----"))
        #expect(try SecretKey(pem: pem, password: "correct horse").publicKey == key.publicKey)
        #expect(throws: TUFError.self) { try SecretKey(pem: pem, password: "wrong") }
        #expect(throws: TUFError.self) { try SecretKey(pem: pem, password: nil) }
        #expect(throws: TUFError.self) { try key.pem(password: "") }
    }

    @Test("are not read from damaged files")
    func damage() throws {
        let pem = Array(try SecretKey.generate(.ed25519).pem(password: "x").utf8)
        for index in stride(from: 0, to: pem.count, by: 53) {
            var damaged = pem
            damaged[index] ^= 4
            _ = try? SecretKey(pem: String(decoding: damaged, as: UTF8.self), password: "y")
            _ = try? SecretKey(pem: String(decoding: pem[..<index], as: UTF8.self), password: "y")
        }
    }

    @Test("of unknown kinds are kept, but verify nothing")
    func unknownKinds() throws {
        for json: JSONValue in [
            ["keytype": "sphincs", "scheme": "sphincs-shake-128s", "keyval": ["public": "00"]],
            ["keytype": "ed25519", "scheme": "ed25519", "keyval": ["private": "00"]],
            ["keytype": "rsa", "scheme": "ed25519", "keyval": ["public": "00"]],
        ] {
            guard case .object(let object) = json else { continue }
            let key = try PublicKey(json: object)
            #expect(!key.isUsable)
            #expect(!key.isSignature([], of: []))
        }
    }
}
