import ExtensionProcess
import ExtensionProtocol
import HostSystem
import PluginCore
import PluginRouter
import PluginRuntime
import Registry

/// A plugin in a process of its own, as its host uses it.
final class IsolatedPlugin: PluginProcess {
    private let process: ExtensionProcess
    private let objects: ObjectConnection
    private let processEnd = ExtensionProcess.End()
    private let identity: BundleIdentity

    /// Starts a process and loads the plugin's library in it, without creating the principal object.
    ///
    /// - Throws: The errors of loading a bundle, and those of ``ExtensionProcess``.
    init(_ code: PreparedCode, _ settings: IsolationSettings, for host: PluginProcessHost) async throws {
        let (bundle, lease, communication) = (code.bundle, host.lease, host.communication)
        identity = bundle.identity
        var connectionSettings = ObjectConnectionSettings()
        connectionSettings.failure = { [processEnd, identity] _ in
            processEnd.pluginError(of: identity, await processEnd.wait())
        }
        connectionSettings.serving = { try await Lease.servingConfined($0) }
        lease.confine()
        connectionSettings.onPage = { lease.pages.add($0) }
        connectionSettings.onPageRelease = host.onPageRelease
        connectionSettings.replacement = { [processEnd] page in
            processEnd.crash(of: bundle.identity).map { EndedPage(inPlaceOf: page, of: bundle, $0, settings, host) }
        }
        objects = ObjectConnection(
            root: ExportedHost(
                mediator: communication.mediator.leased(to: lease), router: communication.router.leased(to: lease),
                services: communication.services.leased(to: lease), events: communication.events.leased(to: lease)),
            connectionSettings)
        let services = CodeServices(code, in: host) { address in
            try await Lease.servingConfined {
                let origin = RequestOrigin.plugin(bundle.identifier.text)
                _ = try await communication.router.routing(for: origin).open(address)
            }
        }
        do {
            process = try await services.start(
                running: settings.runner, limits: settings.limits, languages: host.services.languages,
                calledBy: objects, until: processEnd
            ) { [processEnd, identity] error in
                host.onEnd(processEnd.pluginError(of: identity, error))
            }
        } catch let error as AtriumError {
            throw AtriumError(error, inProcessOf: identity)
        }
    }

    /// Creates the principal object, which keeps the process alive.
    ///
    /// - Throws: The errors of the plugin's `init`, and of the process.
    func start() async throws -> Principal { try await Principal(starting: self, calledBy: objects) }

    /// The reason for an end of the process that the host did not want, or nil.
    var crash: AtriumError? { processEnd.crash(of: identity) }

    /// Lets the plugin's objects close their files, and ends the process.
    func end() async {
        processEnd.expect()
        await process.end()
    }
}

extension ExtensionProcess.End {
    /// Returns the reason for an end that the host did not want, as an error of a plugin.
    fileprivate func crash(of identity: BundleIdentity) -> AtriumError? {
        isExpected ? nil : error.map { AtriumError($0, inProcessOf: identity) }
    }

    /// Returns the error of a plugin's calls for that of its process.
    fileprivate func pluginError(of identity: BundleIdentity, _ error: AtriumError) -> AtriumError {
        isExpected
            ? AtriumError(.bundleUnavailable, identity.identifier, reason: "unloaded")
            : AtriumError(error, inProcessOf: identity)
    }
}

extension AtriumError {
    /// Creates the error for a plugin from that of its process. An error that does not come from the process's end stays as it is.
    fileprivate init(_ error: AtriumError, inProcessOf identity: BundleIdentity) {
        let code: Code? =
            error.isExtensionFailure ? .pluginCrashed : error.code == .extensionEnded ? .pluginEnded : nil
        self = code.map { AtriumError($0, identity, reason: error.reason) } ?? error
    }
}
