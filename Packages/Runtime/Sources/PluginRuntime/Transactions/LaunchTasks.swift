import HostSystem
import PluginCore
import Registry

/// The preparations of a host before it runs any plugin.
public struct LaunchTasks: SandboxPart {
    package let transactions: SandboxTransactions

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
        var reports = await attempt("quarantinePostponed") { try await quarantine.quarantineCrashedVersions() }
        if try !registry.staged.all().isEmpty {
            reports += await attempt("activationPostponed") { try await transactions.staged.activate() }
        }
        // Only now, because a registry that this host cannot read is left as it is.
        sandbox.makePrivate()
        if let builtIn = transactions.builtIn {
            reports += await attempt("builtInCheckPostponed") { try await adopt(builtIn) }
        }
        return reports
    }

    /// Runs a step, logs its failure for the given reason, and returns its results.
    private func attempt(_ reason: String, _ work: () async throws -> [InstallReport]) async -> [InstallReport] {
        do {
            return try await work()
        } catch {
            log(reason, error)
            return []
        }
    }

    /// Removes leftovers of interrupted work, unless another process holds the writer lock, which isn't waited for.
    private func removeLeftovers() async {
        guard FileSystem.mayHaveFolders(sandbox.staging) else { return }
        let lock = WriterLock(sandbox, patience: .zero, command: transactions.services.command)
        // A host that may not write skips this silently.
        guard (try? await lock.acquire()) != nil else { return }
        _ = try? installer.collector.sweepStaging()
        lock.release()
    }

    /// The errors of a catalog that cannot be asked now; the same update can succeed later.
    private static let codesOfCatalog: Set<AtriumError.Code> = [
        .catalogUnreachable, .catalogNotFetched, .catalogUntrusted, .downloadFailed,
    ]

    /// Updates installed bundles to newer versions that ship with the host, unless the user has rolled back from them.
    ///
    /// Does nothing while the same packages ship. A rejected package doesn't affect the others, and isn't tried again until
    /// other packages ship. After a failure of the environment, such as a full disk or a busy sandbox, the update is tried
    /// again at the next start.
    private func adopt(_ builtIn: any PackageSource) async throws -> [InstallReport] {
        guard let stamp = builtIn.stamp, try registry.state.builtInStamp() != stamp else { return [] }
        let offers = builtIn.known
        let blockReason = try planner.blockRule(in: offers)
        var reports: [InstallReport] = []
        var isAllLookedAt = true
        for installed in try registry.active.all() {
            let identity = installed.active.identity
            let newest = try offers.versions(of: identity.identifier).first {
                try blockReason(identity.identifier.at($0)) == nil
            }
            guard let newest, newest > identity.version else { continue }
            do {
                let order = InstallOrder([.install(identity.identifier, newest)], because: .required)
                reports += try await transactions.install.fulfill(order).reports
            } catch {
                log("builtInUpdatesPostponed", error)
                let error = error as? AtriumError
                if let error,
                    Self.codesOfCatalog.contains(error.code)
                        || ["dataTooLarge", "dataWithoutSpace"].contains(error.reason?.name)
                {
                    // Other updates may not need the catalog, and other data may not be too large to be copied.
                    isAllLookedAt = false
                } else if error?.isEnvironmental ?? true {
                    // Other updates would fail for the same reason.
                    return reports
                }
            }
        }
        guard isAllLookedAt else { return reports }
        try await writer.exclusively { try registry.state.setBuiltInStamp(stamp) }
        return reports
    }
}
