import ExtensionProcess
import ExtensionProtocol
import HostSystem
import PluginCore
import PluginRouter
import PluginRuntime
import Registry
import Synchronization

/// A plugin in a process of its own, as its host uses it.
final class IsolatedPlugin: PluginProcess {
    private let process: ExtensionProcess
    private let objects: ObjectConnection
    private let processEnd: ProcessEnd

    /// Starts a process and loads the plugin's library in it, without creating the principal object.
    ///
    /// - Throws: The errors of loading a bundle, and those of ``ExtensionProcess``.
    init(_ code: PreparedCode, _ settings: IsolationSettings, for host: PluginProcessHost) async throws {
        let (bundle, lease, communication) = (code.bundle, host.lease, host.communication)
        let end = ProcessEnd(of: bundle.identity)
        processEnd = end
        var connectionSettings = ObjectConnectionSettings()
        connectionSettings.failure = { _ in await end.error() }
        connectionSettings.serving = { try await Lease.servingConfined($0) }
        lease.confine()
        connectionSettings.onPage = { lease.pages.add($0) }
        connectionSettings.onPageRelease = host.onPageRelease
        connectionSettings.replacement = { page in
            end.crash.map { EndedPage(inPlaceOf: page, of: bundle, $0, settings, host) }
        }
        objects = ObjectConnection(
            root: ExportedHost(
                mediator: communication.mediator.leased(to: lease), router: communication.router.leased(to: lease),
                services: communication.services.leased(to: lease), events: communication.events.leased(to: lease)),
            connectionSettings)
        let services = CodeServices(
            code, in: host.sandbox, host.registry, log: host.services.log, output: host.services.output
        ) { address in
            try await Lease.servingConfined {
                let origin = RequestOrigin.plugin(bundle.identity.identifier.text)
                _ = try await communication.router.routing(for: origin).open(address)
            }
        }
        do {
            process = try await ExtensionProcess(
                running: settings.runner,
                code.launch(
                    bundle.identity.identifier, limits: settings.limits, languages: host.services.languages),
                limits: settings.limits, findingLibrariesIn: HostLibraryFolders.all, services, calledBy: objects
            ) { failure in
                host.onEnd(end.set(failure))
            }
        } catch {
            // A library that was replaced while it was loaded explains the failure better than what it caused.
            try code.finishLoading()
            throw (error as? AtriumError).map { AtriumError($0, inProcessOf: bundle.identity) } ?? error
        }
        try code.finishLoading()
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
