import Preflight
import HostSystem
import Registry
import PluginCore
import PluginRouter
import RemoteObjects

// Loading a plugin in a process of its own.
extension BundleLoader {
    /// Starts a plugin in a process of its own, and counts a crash of the process.
    func isolate(
        _ bundle: PluginBundle, using data: DataUse, under lease: Lease, _ settings: IsolationSettings
    ) async throws -> ActiveBundle {
        do {
            return try await startProcess(of: bundle, using: data, under: lease, settings)
        } catch {
            count(error, in: bundle)
            throw error
        }
    }

    private func startProcess(
        of bundle: PluginBundle, using data: DataUse, under lease: Lease, _ settings: IsolationSettings
    ) async throws -> ActiveBundle {
        guard let entry = bundle.entry else { throw AtriumError(.libraryMissing, bundle.identity.description) }
        var lifecycle = lifecycles.resume(bundle.identity, in: .installed(.new))
        let prepared = try PreparedCode(entry, of: bundle, using: data, in: sandbox, registry, by: policy)
        let services = IsolatedServices(prepared, sandbox, registry, communication.router, services)
        let plugin = try await IsolatedPlugin(
            bundle, prepared, settings, languages: self.services.languages, under: lease, communication, services
        ) { page, error in
            self.ended(page, of: bundle, error, settings)
        } onPageRelease: { [weak running] in
            Task { @MainActor [weak running] in running?.retireReplaced() }
        } onEnd: { [weak self] error in
            Task { @MainActor in await self?.ended(bundle, lease, error) }
        }
        lifecycle.load()
        pageWatcher.add(bundle, image: nil, lease: lease) { _ in WatchedCall() }
        do {
            let principal = try await start(bundle.identity) { try await plugin.start() }
            lifecycle.activate()
            return ActiveBundle(
                bundle: bundle, principal: principal, lease: lease, lifecycle: lifecycle, data: data, isolated: plugin)
        } catch {
            await plugin.end()
            refuse(lease, &lifecycle, error)
            throw error
        }
    }

    /// Removes a plugin whose process has ended, and counts the crash.
    func ended(_ bundle: PluginBundle, _ lease: Lease, _ error: AtriumError) async {
        // The process can end before its start has been completed here.
        _ = try? await running.activation(of: lease)?.active()
        guard running.processEnded(lease, because: error) else { return }
        let reason = ErrorReason("pluginProcessEnded", error.reason.map { ["reason": .reason($0)] } ?? [:])
        services.log(bundle.identity.identifier.text, .error, reason)
        count(error, in: bundle)
    }

    /// Counts an error against a version if it is a crash of its process.
    private func count(_ error: any Error, in bundle: PluginBundle) {
        guard let error = error as? AtriumError, error.code == .pluginCrashed else { return }
        // In a task of its own, because a start, which a quarantine waits for, can be what has crashed.
        Task { [onCrash, log = services.log] in
            do {
                try await onCrash(bundle, error)
            } catch {
                log(bundle.identity.identifier.text, .error, .error(error))
            }
        }
    }

    /// Returns the page to show in place of one whose process has ended.
    private func ended(
        _ page: RemotePage, of bundle: PluginBundle, _ error: AtriumError, _ settings: IsolationSettings
    ) -> any Page {
        let texts = settings.endedPageTexts(EndedPlugin(identity: bundle.identity, name: bundle.name, error: error))
        guard let request = page.request else { return EndedPage(title: page.lastTitle, texts, restart: nil) }
        return EndedPage(title: page.lastTitle, texts) { [weak self, weak page] in
            guard let self, let page else { return }
            // By the router, because guards may decide otherwise by now.
            let opened = try await communication.router.routing(for: request.origin).page(
                for: request.uri, userInfo: request.userInfo)
            try await loaded(bundle.identity.identifier).lease.pages.add(page)
            page.replacement = opened
        }
    }
}
