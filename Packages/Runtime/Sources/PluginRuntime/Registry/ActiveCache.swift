import PluginCore
internal import Synchronization

/// The active versions that were asked for lately, good for as long as the registry is what it was.
final class ActiveCache: Sendable {
    private struct State {
        var generation: RouteCache.Generation?
        var bundles: [String: PluginBundle] = [:]
    }

    /// What a host has in use at the same time, and more.
    private static let room = 1_024

    private let state = Mutex(State())

    /// What was kept in that generation; `nil` when it has to be read.
    func bundle(_ identifier: String, in generation: RouteCache.Generation) -> PluginBundle? {
        state.withLock { $0.generation == generation ? $0.bundles[identifier] : nil }
    }

    /// Keeps what was read after the generation was.
    func keep(_ bundle: PluginBundle, in generation: RouteCache.Generation) {
        state.withLock { state in
            if state.generation != generation || state.bundles.count >= Self.room {
                state = State(generation: generation)
            }
            state.bundles[bundle.identity.identifier] = bundle
        }
    }
}
