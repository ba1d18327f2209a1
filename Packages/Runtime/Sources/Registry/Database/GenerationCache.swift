import Synchronization

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

/// A cache of values that were read from the registry, valid for one generation of it.
package final class GenerationCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct State {
        var generation: RegistryGeneration?
        var values: [Key: Value] = [:]
        var cost = 0
    }

    private let room: Int
    private let state = Mutex(State())

    /// Creates a cache.
    ///
    /// - Parameter room: the maximum cost of all values; when they would cost more, all of them are discarded.
    package init(room: Int) {
        self.room = room
    }

    /// The cost of all cached values.
    var cost: Int { state.withLock(\.cost) }

    /// Returns the value cached in a generation.
    ///
    /// - Returns: `nil` when it has to be read.
    package func value(of key: Key, in generation: RegistryGeneration) -> Value? {
        state.withLock { $0.generation == generation ? $0.values[key] : nil }
    }

    /// Caches a value that was read after the generation was determined, unless it alone costs more than there is room.
    package func store(_ value: Value, for key: Key, cost: Int = 1, in generation: RegistryGeneration) {
        guard cost <= room else { return }
        state.withLock { state in
            if state.generation != generation || state.cost + cost > room { state = State(generation: generation) }
            if state.values.updateValue(value, forKey: key) == nil { state.cost += cost }
        }
    }
}
