import Foundation
import TUFMetadata
import TUFRepository
import Testing

@Suite("A folder of keys", .tags(.medium))
struct KeyFolderTests {
    @Test("returns the keys that were saved, for the right password")
    func saving() throws {
        let path = try newFolder() + "/keys"
        for scheme in SignatureScheme.allCases {
            let key = try SecretKey.generate(scheme)
            try key.save(in: path, password: "secret")
            let file = "\(path)/\(key.publicKey.id).pem"
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let pem = try String(contentsOfFile: file, encoding: .utf8)
            #expect(try SecretKey(pem: pem, password: "secret").publicKey == key.publicKey)
            #expect(errorCode { try SecretKey(pem: pem, password: "wrong") } == .passwordWrong)
        }
    }
}
