internal import SQLite

/// The migrations of the database; a released one is never changed, and a new version of the plugin adds another.
enum OrderSchema {
    static let migrations = Migrations([
        // With AUTOINCREMENT, the number of a deleted order is not reused for another order.
        Migration(
            "orders",
            sql: """
                CREATE TABLE orders (
                    number INTEGER PRIMARY KEY AUTOINCREMENT,
                    item TEXT NOT NULL,
                    price INTEGER NOT NULL
                ) STRICT
                """
        ),
        Migration("cancelling", sql: "ALTER TABLE orders ADD COLUMN cancelled INTEGER NOT NULL DEFAULT 0"),
    ])
}
