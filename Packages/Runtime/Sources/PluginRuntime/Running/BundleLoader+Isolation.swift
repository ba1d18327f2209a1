import HostSystem
import Registry
import PluginCore
import PluginRouter

// Loading a plugin in a process of its own.
extension BundleLoader {
    /// Starts a plugin in a process of its own, and counts a crash of the process.
    func isolate(_ bundle: PluginBundle, using data: DataUse, under lease: Lease) async throws -> ActiveBundle {
        do {
            return try await startProcess(of: bundle, using: data, under: lease)
        } catch {
            count(error, in: bundle)
            throw error
        }
    }

    private func startProcess(
        of bundle: PluginBundle, using data: DataUse, under lease: Lease
    ) async throws -> ActiveBundle {
        guard let entry = bundle.entry else { throw AtriumError(.libraryMissing, bundle.identity.description) }
        var lifecycle = lifecycles.resume(bundle.identity, in: .installed(.new))
        let prepared = try PreparedCode(entry, of: bundle, using: data, in: sandbox, registry, by: policy)
        let host = PluginProcessHost(
            sandbox: sandbox, registry: registry, services: services, communication: communication, lease: lease
        ) { [weak self] in
            try await self?.loaded(bundle.identity.identifier).lease
        } onPageRelease: { [weak running] in
            Task { @MainActor [weak running] in running?.retireReplaced() }
        } onEnd: { [weak self] error in
            Task { @MainActor in await self?.ended(bundle, lease, error) }
        }
        let process = try await services.isolation.start(prepared, for: host)
        lifecycle.load()
        pageWatcher.add(bundle, image: nil, lease: lease) { _ in WatchedCall() }
        do {
            let principal = try await start(bundle.identity) { try await process.start() }
            lifecycle.activate()
            return ActiveBundle(
                bundle: bundle, principal: principal, lease: lease, lifecycle: lifecycle, data: data, process: process)
        } catch {
            await process.end()
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
        Task { [services, crashRecovery] in
            do {
                try await services.isolation.count(error, of: bundle, by: crashRecovery)
            } catch {
                services.log(bundle.identity.identifier.text, .error, .error(error))
            }
        }
    }
}
