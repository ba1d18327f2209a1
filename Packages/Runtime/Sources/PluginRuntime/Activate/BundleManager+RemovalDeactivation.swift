import PluginCore
import PluginRouter

/// The permanent deactivation of bundles.
extension BundleManager {
    /// Cuts bundles off, and then runs a change that removes them from the registry.
    ///
    /// No request reaches their code after the removal. Requests during the change wait, and load the bundles again if it fails.
    ///
    /// - Throws: the errors of `change`.
    func deactivateForRemoval<R: Sendable>(
        _ identifiers: [String], _ change: @escaping @Sendable () throws -> R
    ) async throws -> R {
        let cutOff = identifiers.compactMap { self.cutOff($0) }
        for identifier in identifiers { removalWaiters[identifier] = [] }
        let result = await Self.result(of: change)
        for identifier in identifiers {
            for waiting in removalWaiters.removeValue(forKey: identifier) ?? [] { waiting.resume() }
        }
        let isGone = (try? result.get()) != nil
        for activation in cutOff { await drainAndUnload(activation, isGone ? .withdrawn : .replaced) }
        for identifier in identifiers {
            await ended(identifier)
            if isGone { endReplaced(identifier) }
        }
        return try result.get()
    }

    /// Waits until the bundle isn't being removed from the registry.
    func waitForRemoval(of identifier: String) async {
        while removalWaiters[identifier] != nil {
            await withCheckedContinuation { removalWaiters[identifier]?.append($0) }
        }
    }

    /// Runs a change away from the main actor, because it waits for the disk.
    @concurrent
    private static func result<R: Sendable>(of change: @Sendable () throws -> R) async -> Result<R, any Error> {
        Result { try change() }
    }
}
