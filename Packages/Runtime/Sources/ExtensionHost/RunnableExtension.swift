import PluginCore
import Registry
import Synchronization

/// An enabled extension of an active version, with the limits of its process.
struct RunnableExtension: Sendable {
    let declaration: ExtensionDeclaration
    let bundle: PluginBundle
    let limits: ExtensionLimits
}

/// A cache of the extensions that were run, valid for one generation of the registry.
final class RunnableExtensionCache: Sendable {
    private struct State {
        var generation: RegistryGeneration?
        var extensions: [BundleIdentifier: RunnableExtension] = [:]
    }

    /// The maximum number of cached extensions, more than a host runs at a time.
    private static let maximumCount = 256

    private let state = Mutex(State())

    /// Returns the cached extension, or reads and caches it.
    ///
    /// - Parameters:
    ///   - generation: The registry's generation before anything is read; nil without a registry.
    ///   - read: Reads the extension from the registry.
    func `extension`(
        _ identifier: BundleIdentifier, in generation: RegistryGeneration?,
        orReading read: () throws(AtriumError) -> RunnableExtension
    ) throws(AtriumError) -> RunnableExtension {
        let cached = state.withLock { $0.generation == generation ? $0.extensions[identifier] : nil }
        if let cached { return cached }
        let found = try read()
        state.withLock { state in
            if state.generation != generation || state.extensions.count >= Self.maximumCount {
                state = State(generation: generation)
            }
            state.extensions[identifier] = found
        }
        return found
    }
}
