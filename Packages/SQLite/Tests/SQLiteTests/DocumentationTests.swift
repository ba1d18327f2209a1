import SQLite
import Testing

@Suite("Examples in the documentation", .tags(.medium))
struct DocumentationTests {
    @Test("The examples of the module's page work")
    func modulePage() throws {
        try withFolder { folder in
            let database = try Database(path: folder + "/registry.sqlite")
            try Migrations([
                Migration(
                    "plugins", sql: "CREATE TABLE plugin (name TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT")
            ]).apply(to: database)

            try database.transaction {
                try database.execute("INSERT OR REPLACE INTO plugin VALUES (?, ?)", "shop", 3)
                try database.execute(
                    "INSERT OR REPLACE INTO plugin VALUES (:name, :version)", arguments: ["name": "cart", "version": 1])
            }
            let names = try database.query("SELECT name FROM plugin ORDER BY name") { row in
                try row["name", as: String.self]
            }
            let newest = try database.value("SELECT max(version) FROM plugin", as: Int?.self)
            #expect(names == ["cart", "shop"])
            #expect(newest == 3)
        }
    }

    @Test("The examples of the types work")
    func types() throws {
        let database = try Database.inMemory()
        try database.execute("CREATE TABLE IF NOT EXISTS plugin (name TEXT PRIMARY KEY, version INTEGER NOT NULL)")
        try database.execute("INSERT OR REPLACE INTO plugin VALUES (?, ?)", "shop", 3)
        let names: [String] = try database.query("SELECT name FROM plugin WHERE version > ?", 2) { row in
            try row["name"]
        }
        #expect(names == ["shop"])

        let plugins = try database.query("SELECT name, version FROM plugin") { row in
            (name: try row["name", as: String.self], version: try row["version", as: Int?.self])
        }
        #expect(plugins.first?.version == 3)

        let count: Int? = try database.transaction {
            try database.execute("DELETE FROM plugin WHERE name = ?", "shop")
            return try database.value("SELECT count(*) FROM plugin", as: Int.self)
        }
        #expect(count == 0)

        do {
            try database.execute("INSERT INTO plugin (name) VALUES (?)", "shop")
        } catch {
            guard error.isConstraint else { throw error }
            #expect(error.code == .constraintNotNull)
        }
    }
}
