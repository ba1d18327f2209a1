internal import SQLite

/// The history of `orders.sqlite`. A released step is never changed; a new version of the plugin adds one.
enum OrderSchema {
    static let migrations = Migrations([
        // AUTOINCREMENT: a number that a user has seen never means another order.
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
