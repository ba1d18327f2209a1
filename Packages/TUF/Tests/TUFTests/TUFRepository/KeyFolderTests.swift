import Foundation
import TUFMetadata
import TUFRepository
import Testing

@Suite("A folder of keys", .tags(.medium))
struct KeyFolderTests {
    @Test("returns the keys that were saved, for the right password")
    func saving() throws {
        let path = try newFolder() + "/keys"
        let folder = KeyFolder(path)
        #expect(try folder.ids().isEmpty)
        let keys = try SignatureScheme.allCases.map { scheme throws in try SecretKey.generate(scheme) }
        for key in keys { try folder.save(key, password: "secret") }
        #expect(try Set(folder.ids()) == Set(keys.map(\.publicKey.id)))
        for id in try folder.ids() {
            let mode = try FileManager.default.attributesOfItem(atPath: "\(path)/\(id).pem")[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
        for key in keys {
            #expect(try folder.key(key.publicKey.id, password: "secret").publicKey == key.publicKey)
            #expect(errorCode { try folder.key(key.publicKey.id, password: "wrong") } == .passwordWrong)
        }
        #expect(throws: TUFError.self) { try folder.key("missing", password: "secret") }
    }
}
