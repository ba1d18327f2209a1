import ExtensionProcess
import ExtensionProtocol
import HostSystem
public import PluginCore
import PluginRouter
import Registry
import RemoteObjects
import Synchronization

/// A plugin in a process of its own, as its host uses it.
final class IsolatedPlugin: Sendable {
    private let process: ExtensionProcess
    private let objects: ObjectConnection
    private let processEnd: ProcessEnd

    /// Starts a process and loads the plugin's library in it, without creating the principal object.
    ///
    /// - Parameters:
    ///   - bundle: The version.
    ///   - lease: The lease on whose behalf the plugin calls others.
    ///   - replacement: Returns the page to show in place of one whose process has ended with an error.
    ///   - onPageRelease: Called when this process has released a page of the plugin.
    ///   - onEnd: Called once when the process has ended, for any reason.
    /// - Throws: The errors of loading a bundle, and those of ``ExtensionProcess``.
    init(
        _ bundle: PluginBundle, _ prepared: PreparedCode, _ settings: IsolationSettings, languages: [String],
        under lease: Lease, _ communication: BundleCommunication, _ services: any ExtensionServices,
        replacement: @escaping @MainActor @Sendable (RemotePage, AtriumError) -> any Page,
        onPageRelease: @escaping @Sendable () -> Void,
        onEnd: @escaping @Sendable (AtriumError) -> Void
    ) async throws {
        let end = ProcessEnd(of: bundle.identity)
        processEnd = end
        var connectionSettings = ObjectConnectionSettings()
        connectionSettings.failure = { _ in await end.error() }
        connectionSettings.serving = { try await Lease.servingConfined($0) }
        lease.confine()
        connectionSettings.onPage = { lease.pages.add($0) }
        connectionSettings.onPageRelease = onPageRelease
        connectionSettings.replacement = { page in end.crash.map { replacement(page, $0) } }
        objects = ObjectConnection(
            root: ExportedHost(
                mediator: communication.mediator.leased(to: lease), router: communication.router.leased(to: lease),
                services: communication.services.leased(to: lease), events: communication.events.leased(to: lease)),
            connectionSettings)
        do {
            process = try await ExtensionProcess(
                running: settings.runner,
                prepared.launch(bundle.identity.identifier, limits: settings.limits, languages: languages),
                limits: settings.limits, findingLibrariesIn: HostLibraryFolders.all, services, calledBy: objects
            ) { failure in
                onEnd(end.set(failure))
            }
        } catch {
            // A library that was replaced while it was loaded explains the failure better than what it caused.
            try prepared.finishLoading()
            throw (error as? AtriumError).map { AtriumError($0, inProcessOf: bundle.identity) } ?? error
        }
        try prepared.finishLoading()
    }

    /// Creates the principal object, which keeps the process alive.
    ///
    /// - Throws: The errors of the plugin's `init`, and of the process.
    func start() async throws -> Principal { try await Principal(starting: self, calledBy: objects) }

    /// The reason for an end of the process that the host did not want, or nil.
    var crash: AtriumError? { processEnd.crash }

    /// Lets the plugin's objects close their files, and ends the process.
    func end() async {
        processEnd.expect()
        await process.end()
    }
}

/// The end of a plugin's process, for which calls and pages wait.
private final class ProcessEnd: Sendable {
    private struct State {
        var error: AtriumError?
        var isExpected = false
        var waiting: [CheckedContinuation<AtriumError, Never>] = []
    }

    private let identity: BundleIdentity
    private let state = Mutex(State())

    init(of identity: BundleIdentity) {
        self.identity = identity
    }

    /// The reason for an end that the host did not want, or nil.
    var crash: AtriumError? { state.withLock { $0.isExpected ? nil : $0.error } }

    /// Records that the host ends the process.
    func expect() { state.withLock { if $0.error == nil { $0.isExpected = true } } }

    /// Sets the reason, and returns it as an error of the plugin.
    func set(_ failure: ProcessFailure) -> AtriumError {
        let (error, waiting) = state.withLock { state in
            let error =
                state.isExpected
                ? AtriumError(.bundleUnavailable, identity.identifier, reason: "unloaded")
                : AtriumError(failure.error(of: identity.identifier.text), inProcessOf: identity)
            state.error = error
            defer { state.waiting = [] }
            return (error, state.waiting)
        }
        for continuation in waiting { continuation.resume(returning: error) }
        return error
    }

    /// Waits for the end.
    func error() async -> AtriumError {
        await withCheckedContinuation { continuation in
            let error = state.withLock { state in
                if state.error == nil { state.waiting.append(continuation) }
                return state.error
            }
            if let error { continuation.resume(returning: error) }
        }
    }
}

extension AtriumError {
    /// Creates the error for a plugin from that of its process. An error that does not come from the process's end stays as it is.
    fileprivate init(_ error: AtriumError, inProcessOf identity: BundleIdentity) {
        let code: Code? =
            if ProcessFailure.crashCodes.contains(error.code) {
                .pluginCrashed
            } else {
                error.code == .extensionEnded ? .pluginEnded : nil
            }
        self = code.map { AtriumError($0, identity.description, reason: error.reason) } ?? error
    }
}

extension AtriumError.Code {
    /// A plugin whose process crashed, exceeded its memory limit, missed a deadline, or broke a rule of the protocol.
    public static let pluginCrashed = Self("pluginCrashed")
    /// A plugin whose process was ended from outside, or by its host.
    public static let pluginEnded = Self("pluginEnded")
}
