public import PluginCore
package import PluginRouter
public import Registry
import Synchronization

/// The processes of isolated plugins: which plugins have one, its start, and the counting of its crashes.
///
/// ```swift
/// services.isolation = IsolationSettings(runner: folder.appending("extension-runner")) { ended in
///     EndedPageTexts(content: ["\(ended.name) has ended unexpectedly."], restart: "Start again")
/// }
/// ```
public protocol PluginProcesses: Sendable {
    /// Returns whether the plugin of a version runs in a process of its own.
    func isolates(_ bundle: PluginBundle) -> Bool

    /// Starts a process, makes all checks of a load, and loads a version in it, without creating the principal object.
    ///
    /// - Parameter entry: the file name of the library.
    /// - Throws: The errors of loading a bundle, and ``AtriumError`` with code `pluginCrashed` or `pluginEnded`.
    func start(
        _ entry: String, of bundle: PluginBundle, for host: PluginProcessHost
    ) async throws -> any PluginProcess

    /// Counts a crash of a version, which is quarantined after too many.
    ///
    /// - Parameter host: a part of the manager, for its transactions and to leave the version that crashed.
    func count(_ crash: AtriumError, of bundle: PluginBundle, in host: LiveUpdates) async throws

    /// Counts the crashes of processes that ended earlier hosts, before the first plugin is loaded.
    func countEndsOfHosts(in host: LiveUpdates) async

    /// Hides a widget, whose process is one of these, on behalf of the bundle that contains it, or shows it again.
    ///
    /// - Throws: ``AtriumError`` with code `extensionUndeclared` for an extension that the bundle does not contain.
    func setHasContent(
        _ hasContent: Bool, of widget: String, by bundle: BundleIdentifier, in registry: Registry
    ) throws(AtriumError)
}

/// The process of an isolated plugin.
public protocol PluginProcess: Sendable {
    /// The reason for an end of the process that the host did not want, or nil.
    var crash: AtriumError? { get }

    /// Creates the principal object, which keeps the process alive.
    func start() async throws -> Principal

    /// Lets the plugin's objects close their files, and ends the process.
    func end() async
}

/// The parts of a host that the process of a plugin uses.
public struct PluginProcessHost: SandboxPart {
    package let transactions: SandboxTransactions
    package let communication: BundleCommunication
    /// The use of the bundle's data, which must last as long as the process.
    package let data: DataUse
    /// The lease on whose behalf the plugin calls others.
    package let lease: Lease
    /// Returns the lease of the plugin's active version, which is loaded if it has ended; nil after the end of the host.
    package let activeLease: @MainActor @Sendable () async throws -> Lease?
    /// Called when this process has released a page of the plugin.
    package let onPageRelease: @Sendable () -> Void
    /// Called once when the process has ended, for any reason.
    package let onEnd: @Sendable (AtriumError) -> Void
}

extension Host {
    /// Takes the data of a version into use, for a process of one of its extensions.
    ///
    /// - Throws: The errors of loading a bundle.
    package func use(dataOf bundle: PluginBundle) async throws -> DataUse {
        do {
            return try await data.use(of: bundle)
        } catch is ActivationCanceled {
            throw AtriumError(.bundleUnavailable, bundle.identity, reason: "replacedWhileStarting")
        }
    }

    /// Sets the closure that ends idle users of a bundle's data, such as processes that wait for requests of its extensions.
    package func setIdleUsersEnd(_ body: @escaping @Sendable (BundleIdentifier) async -> Void) {
        transactions.endIdleUsers.withLock { $0 = body }
    }
}
