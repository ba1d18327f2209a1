import TUFMetadata
import TUFRepository
import Testing

@Suite("A folder of keys", .tags(.medium))
struct KeyFolderTests {
    @Test("returns the keys that were saved, for the right password")
    func saving() throws {
        let folder = KeyFolder(try newFolder() + "/keys")
        #expect(try folder.ids().isEmpty)
        let keys = try SignatureScheme.allCases.map { scheme throws in try SecretKey.generate(scheme) }
        for key in keys { try folder.save(key, password: "secret") }
        #expect(try Set(folder.ids()) == Set(keys.map(\.publicKey.id)))
        for key in keys {
            #expect(try folder.key(key.publicKey.id, password: "secret").publicKey == key.publicKey)
            let error = #expect(throws: TUFError.self) { try folder.key(key.publicKey.id, password: "wrong") }
            #expect(error?.code == .passwordWrong)
        }
        #expect(throws: TUFError.self) { try folder.key("missing", password: "secret") }
    }
}
