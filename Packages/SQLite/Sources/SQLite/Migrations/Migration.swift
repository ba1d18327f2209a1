/// One step of a schema's history. Once released it is never changed: a database that has it keeps what it did then.
public struct Migration: Sendable {
    /// What the step does, for people and error messages. The step's identity is its place in the list.
    public let name: String

    let body: @Sendable (Database) throws -> Void

    /// A step written as a script of SQL statements, without `BEGIN` and `COMMIT`.
    public init(_ name: String, sql: String) {
        self.init(name) { database in try database.execute(script: sql) }
    }

    /// A step written in Swift. It runs inside the step's transaction and must not end it.
    public init(_ name: String, _ body: @escaping @Sendable (Database) throws -> Void) {
        self.name = name
        self.body = body
    }
}
