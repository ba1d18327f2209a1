import PluginCore
internal import Synchronization

/// A cache of active versions, valid for one generation of the registry.
final class ActiveCache: Sendable {
    private struct State {
        var generation: RouteCache.Generation?
        var bundles: [String: PluginBundle] = [:]
    }

    /// The maximum number of cached versions, more than a host uses at a time.
    private static let room = 1_024

    private let state = Mutex(State())

    /// Returns the version cached in a generation.
    ///
    /// - Returns: `nil` when it has to be read.
    func bundle(_ identifier: String, in generation: RouteCache.Generation) -> PluginBundle? {
        state.withLock { $0.generation == generation ? $0.bundles[identifier] : nil }
    }

    /// Caches a version that was read after the generation was determined.
    func store(_ bundle: PluginBundle, in generation: RouteCache.Generation) {
        state.withLock { state in
            if state.generation != generation || state.bundles.count >= Self.room {
                state = State(generation: generation)
            }
            state.bundles[bundle.identity.identifier] = bundle
        }
    }
}
