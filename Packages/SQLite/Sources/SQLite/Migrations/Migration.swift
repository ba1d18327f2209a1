/// A step of a schema's history. It must not change after it was released, because existing databases keep its effect.
public struct Migration: Sendable {
    /// The description for people and error messages. A step is identified by its position in the list.
    public let name: String

    let body: @Sendable (Database) throws -> Void

    /// Creates a step from a script of SQL statements without begin and commit.
    public init(_ name: String, sql: String) {
        self.init(name) { database in try database.execute(script: sql) }
    }

    /// Creates a step from a closure. It runs inside the step's transaction and must not end it.
    public init(_ name: String, _ body: @escaping @Sendable (Database) throws -> Void) {
        self.name = name
        self.body = body
    }
}
