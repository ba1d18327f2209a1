import Registry
import HostSystem
import PluginCore

/// The preparations of a host before it runs any plugin.
struct LaunchTasks: Sendable {
    let sandbox: Sandbox
    let registry: Registry
    let collector: Collector
    let quarantine: CrashQuarantine
    let staged: StagedUpdates
    let builtIn: BuiltInUpdates?
    let services: HostServices

    /// Removes leftovers, quarantines crashed versions, activates staged ones, and adopts built-in updates.
    ///
    /// See ``BundleManager/prepareForLaunch()`` for the details and errors.
    func run() async throws -> [InstallReport] {
        await sweepStaging()
        guard try FileSystem.isFile(sandbox.registry) else {
            try registry.requireKept()
            return []
        }
        var reports = await attempt("quarantinePostponed") {
            try await quarantine.quarantineCrashedVersions()
        }
        if try !registry.staged.all().isEmpty {
            reports += await attempt("activationPostponed") { try await staged.activate() }
        }
        if let builtIn {
            reports += await attempt("builtInCheckPostponed") { try await builtIn.adopt() }
        }
        return reports
    }

    /// Runs a step, logs its failure for the given reason, and returns its results.
    private func attempt(_ reason: String, _ work: () async throws -> [InstallReport]) async -> [InstallReport] {
        do {
            return try await work()
        } catch {
            services.log("host", .error, ErrorReason(reason, ["error": .reason(.error(error))]))
            return []
        }
    }

    /// Removes leftovers of interrupted work, unless another process holds the writer lock, which isn't waited for.
    ///
    /// Usually there are none, which takes one system call.
    private func sweepStaging() async {
        guard FileSystem.mayHaveFolders(sandbox.staging) else { return }
        let lock = WriterLock(sandbox, patience: .zero, command: services.command)
        // A host that may not write skips this silently.
        guard (try? await lock.acquire()) != nil else { return }
        _ = try? collector.sweepStaging()
        lock.release()
    }
}
