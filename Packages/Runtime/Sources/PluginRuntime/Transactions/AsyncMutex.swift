/// A mutex for changes of the sandbox, first come, first served.
///
/// The sandbox's lock excludes other hosts. This one excludes other calls of the same host, whose installs would remove each
/// other's incomplete work.
actor AsyncMutex {
    /// The identity of the call that holds the mutex.
    private final class Owner: Sendable {}

    @TaskLocal private static var mine: Owner?

    private var current: Owner?
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Runs a closure after all earlier ones have ended.
    ///
    /// A nested call runs immediately, for example when a bundle that is being replaced installs another one in its last actions.
    func withLock<R: Sendable>(_ body: @Sendable () async throws -> R) async throws -> R {
        if let mine = Self.mine, mine === current { return try await body() }
        let owner = Owner()
        if current == nil {
            current = owner
        } else {
            await withCheckedContinuation { waiting.append($0) }
            current = owner
        }
        defer { unlock() }
        return try await Self.$mine.withValue(owner) { try await body() }
    }

    /// Passes the mutex on directly, so that no other call can take it in between.
    private func unlock() {
        if waiting.isEmpty {
            current = nil
        } else {
            current = Owner()
            waiting.removeFirst().resume()
        }
    }
}
