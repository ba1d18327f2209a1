import CatalogPublisher
import PluginCore
import TUFMetadata

/// All keys of a catalog's fixture.
struct CatalogKeysForTests {
    private var keys: CatalogKeys

    init(_ fixture: CatalogFixture) throws {
        keys = try CatalogKeys(folder: fixture.keys) { _, _ in "secret" }
    }

    mutating func all() throws -> [SecretKey] {
        let ids = keys.ids
        return try keys.keys(ids)
    }
}
