import CSQLite

/// The idle prepared statements by SQL text, the most recently used last.
///
/// Statements in use are not in the cache, so two simultaneous uses of one text get separate statements.
struct StatementCache {
    private var idle: [(sql: String, handle: OpaquePointer)] = []
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = max(0, capacity)
    }

    mutating func take(_ sql: String) -> OpaquePointer? {
        guard let index = idle.lastIndex(where: { $0.sql == sql }) else { return nil }
        return idle.remove(at: index).handle
    }

    /// Keeps a statement for the next use; it has been reset, and its bindings cleared.
    mutating func give(_ sql: String, _ handle: OpaquePointer) {
        guard capacity > 0 else {
            sqlite3_finalize(handle)
            return
        }
        if idle.count >= capacity { sqlite3_finalize(idle.removeFirst().handle) }
        idle.append((sql, handle))
    }

    mutating func removeAll() {
        for (_, handle) in idle { sqlite3_finalize(handle) }
        idle = []
    }
}
