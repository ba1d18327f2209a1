internal import PluginCore
internal import PluginDatabase
internal import SQLite

/// The orders in a database in the plugin's container.
///
/// Every call queries the database, so that two loaded versions of the plugin have the same orders.
struct OrderBook: Sendable {
    private let database: Database

    /// Opens the database and migrates it to this version's schema.
    ///
    /// - Throws: as `BundleContext.database(_:_:)`; the bundle is not loaded in that case.
    init(context: BundleContext) throws { database = try context.database("orders", OrderSchema.migrations) }

    /// Places an order and returns its number.
    ///
    /// - Throws: ``AtriumError`` with code `orderInvalid`, or `SQLiteError`.
    func place(item: String, price: Int) throws -> Int {
        if item.isEmpty { throw AtriumError(.orderInvalid, item, reason: .verbatim("an order names its item")) }
        if price < 0 { throw AtriumError(.orderInvalid, item, reason: .verbatim("\(price) is no price")) }
        return try database.transaction {
            try database.execute("INSERT INTO orders (item, price) VALUES (?, ?)", item, price)
            return Int(database.lastInsertedRowID)
        }
    }

    /// Cancels an order; has no effect if it is already canceled or does not exist.
    func cancel(_ number: Int) throws {
        try database.execute("UPDATE orders SET cancelled = 1 WHERE number = ?", number)
    }

    /// Returns the number of orders that are not canceled.
    func count() throws -> Int {
        try database.value("SELECT count(*) FROM orders WHERE NOT cancelled", as: Int.self) ?? 0
    }

    /// Returns the sum of all orders that are not canceled, in cents.
    func spending() throws -> Int {
        try database.value("SELECT coalesce(sum(price), 0) FROM orders WHERE NOT cancelled", as: Int.self) ?? 0
    }

    /// Returns all orders, oldest first.
    func orders() throws -> [Order] {
        try database.query("SELECT number, item, price, cancelled FROM orders ORDER BY number", row: Self.order)
    }

    /// Returns the order with a number; `nil` if there is none.
    func order(_ number: Int) throws -> Order? {
        try database.first(
            "SELECT number, item, price, cancelled FROM orders WHERE number = ?", number, row: Self.order)
    }

    private static func order(_ row: borrowing Row) throws -> Order {
        Order(
            number: try row["number"], item: try row["item"], price: try row["price"],
            isCancelled: try row["cancelled"]
        )
    }
}

extension AtriumError.Code {
    /// The code for an order without an item or with a negative price.
    static let orderInvalid = Self("orderInvalid")
}
