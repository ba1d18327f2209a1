/// A state of the registry, as seen by one connection, for which caches are valid.
package struct RegistryGeneration: Hashable, Sendable {
    /// The number of the connection.
    package let connection: Int
    /// The number of writes by this process.
    let writes: Int
    /// SQLite's count of writes by others.
    let version: Int

    /// Returns whether another connection or process has written, or may have written, since an earlier generation.
    package func isOthersWork(since before: Self) -> Bool {
        connection != before.connection || version != before.version
    }
}
