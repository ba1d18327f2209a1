import PluginCore
import PluginRouter

/// Taking bundles out of use for good.
extension BundleManager {
    /// Cuts bundles off, and only then has them taken out of the registry: so that nobody reaches their code who knows that
    /// they have gone. Who asks for one meanwhile waits; when the registry cannot be changed, they load it anew.
    ///
    /// - Throws: what `change` throws.
    func withdraw<R: Sendable>(
        _ identifiers: [String], _ change: @escaping @Sendable () throws -> R
    ) async throws -> R {
        let cutOff = identifiers.compactMap { self.cutOff($0) }
        for identifier in identifiers { withdrawals[identifier] = [] }
        let result = await Self.result(of: change)
        for identifier in identifiers {
            for waiting in withdrawals.removeValue(forKey: identifier) ?? [] { waiting.resume() }
        }
        let isGone = (try? result.get()) != nil
        for activation in cutOff { await windDown(activation, isGone ? .withdrawn : .replaced) }
        for identifier in identifiers {
            await ended(identifier)
            if isGone { endReplaced(identifier) }
        }
        return try result.get()
    }

    /// Returns when nobody takes the bundle out of the registry.
    func withdrawal(of identifier: String) async {
        while withdrawals[identifier] != nil {
            await withCheckedContinuation { withdrawals[identifier]?.append($0) }
        }
    }

    /// Writes to the disk, which is not for the main actor to wait for.
    @concurrent
    private static func result<R: Sendable>(of change: @Sendable () throws -> R) async -> Result<R, any Error> {
        Result { try change() }
    }
}
