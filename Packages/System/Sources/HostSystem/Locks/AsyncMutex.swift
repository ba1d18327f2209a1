/// A mutex for work that waits, first come, first served.
///
/// A nested call doesn't wait for the call that it is part of.
package actor AsyncMutex {
    /// The identity of the call that holds the mutex.
    private final class Owner: Sendable {}

    @TaskLocal private static var mine: Owner?

    private var current: Owner?
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init() {}

    /// Runs a closure after all earlier ones have ended.
    ///
    /// A nested call runs immediately, for example when a bundle that is being replaced installs another one in its last actions.
    package func withLock<R: Sendable>(_ body: @Sendable () async throws -> R) async throws -> R {
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
