import Foundation
import PluginCore
import PluginTestKit
import SQLite
import Testing

@testable import PluginDatabase

@Suite("The database of a plugin", .tags(.small))
struct PluginDatabaseTests {
    private let folder: ThrowawayFolder

    init() throws { folder = try ThrowawayFolder() }

    private func make(_ folder: FilePath) throws {
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
    }

    private func open(_ steps: Int, dataVersion: Int) throws -> Database {
        let container = BundleContainer(root: folder.appending("\(dataVersion)"))
        try make(container.documents)
        let identity = BundleIdentity(
            identifier: "com.example.app.orders", version: try #require(SemanticVersion("1.1.0")))
        let all = ["CREATE TABLE orders (number INTEGER) STRICT", "ALTER TABLE orders ADD COLUMN price INTEGER"]
        return try container.database(
            "orders", Migrations(all.prefix(steps).map { Migration($0, sql: $0) }), of: identity)
    }

    @Test("A new migration needs a higher data version, and without one the file stays as it is")
    func dataVersion() throws {
        try open(1, dataVersion: 0).execute("INSERT INTO orders VALUES (7)")
        let error = #expect(throws: AtriumError.self) { try open(2, dataVersion: 0) }
        #expect(error?.code == .init("manifestInvalid") && error?.reason?.name == "dataVersionTooLow")
        #expect(try open(1, dataVersion: 0).value("SELECT number FROM orders", as: Int.self) == 7)

        // What the host does for a version with a higher one.
        try FileManager.default.copyItem(atPath: folder.appending("0").string, toPath: folder.appending("1").string)
        for _ in 0..<2 {
            #expect(
                try open(2, dataVersion: 1).value("SELECT number FROM orders WHERE price IS NULL", as: Int.self) == 7)
        }
        #expect(throws: MigrationError.self) { try open(1, dataVersion: 1) }
        #expect(try open(1, dataVersion: 0).value("PRAGMA user_version", as: Int.self) == 1)
    }

    @Test("A database from before the plugin used this module is migrated once")
    func unmarked() throws {
        try make(folder.appending("0/Documents"))
        let file = folder.appending("0/Documents/orders.sqlite").string
        try Database(path: file).execute(script: "CREATE TABLE orders (number INTEGER) STRICT; PRAGMA user_version = 1")
        #expect(try open(2, dataVersion: 0).value("PRAGMA user_version", as: Int.self) == 2)
    }
}
