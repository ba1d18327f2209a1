import Registry
import HostSystem
import PluginCore

/// The preparations of a host before it runs any plugin.
public struct LaunchTasks: Sendable {
    let sandbox: Sandbox
    let registry: Registry
    let collector: Collector
    let quarantine: CrashQuarantine
    let staged: StagedUpdates
    let builtIn: BuiltInUpdates?
    let services: HostServices

    /// Removes leftovers, quarantines crashed versions, activates staged ones, and adopts built-in updates.
    ///
    /// Usually there is nothing to do; then it writes nothing, takes no lock, and its cost doesn't depend on the number of
    /// bundles. A step that fails, because another host is working on the sandbox or it can't be written, is logged and left
    /// for the next start. A version that waits to be quarantined isn't loaded meanwhile.
    ///
    /// - Returns: the versions that were activated or removed.
    /// - Throws: ``AtriumError`` with code `registryDamaged` or `registryNewer`, or `inputOutput` or `sandboxUnwritable` when
    ///   the existence of a registry can't be determined.
    @discardableResult
    public func run() async throws -> [InstallReport] {
        await removeLeftovers()
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
        // Only now, because a registry that this host cannot read is left as it is.
        sandbox.makePrivate()
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
    private func removeLeftovers() async {
        guard FileSystem.mayHaveFolders(sandbox.staging) else { return }
        let lock = WriterLock(sandbox, patience: .zero, command: services.command)
        // A host that may not write skips this silently.
        guard (try? await lock.acquire()) != nil else { return }
        _ = try? collector.sweepStaging()
        lock.release()
    }
}
