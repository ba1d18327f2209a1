import HostSystem
import PluginCore
import Registry

/// The exclusive access to a sandbox, for each change of it.
///
/// The writer lock excludes other hosts, and a mutex excludes other calls in this one.
public struct SandboxWriter: SandboxPart {
    package let transactions: SandboxTransactions

    /// Plans a change, takes exclusive access to the sandbox, and plans the change again before it is made.
    ///
    /// Impossible requests fail before anything is created or locked. While this call waits for access,
    /// another one may have changed the sandbox, so the first plan isn't used.
    ///
    /// - Parameters:
    ///   - plan: plans the change without changing anything; called twice.
    ///   - apply: makes the planned change.
    /// - Throws: the errors of `plan` and `apply`, and as ``exclusively(mending:_:)``.
    package func change<Plan, R: Sendable>(
        planning plan: @Sendable () throws -> Plan, applying apply: @Sendable (Plan) async throws -> R
    ) async throws -> R {
        _ = try plan()
        return try await exclusively { try await apply(plan()) }
    }

    /// Runs a closure that changes the sandbox, excluding all other hosts and all other calls in this one.
    ///
    /// - Parameter mends: whether the closure may run although the registry is lost.
    /// - Throws: as ``withWriterLock(_:)``, and ``AtriumError`` with code `registryDamaged` when the registry is lost.
    package func exclusively<R: Sendable>(
        mending mends: Bool = false, _ body: @Sendable () async throws -> R
    ) async throws -> R {
        // The rollback targets depend on which versions have run successfully.
        crashMonitor.recordUsedVersions()
        records.write()
        return try await withMutex {
            try await withWriterLock {
                if !mends {
                    try registry.requireKept()
                    finishErasing()
                }
                return try await body()
            }
        }
    }

    /// Runs a closure that changes the sandbox after all earlier ones of this process.
    ///
    /// Otherwise, installs of one host would remove each other's incomplete work.
    package func withMutex<R: Sendable>(_ body: @Sendable () async throws -> R) async throws -> R {
        try await transactions.mutex.withLock(body)
    }

    /// Runs a closure while no other host changes the installed bundles.
    ///
    /// Calls may be nested. Hosts that only run plugins aren't affected. A sandbox that didn't exist before exists afterwards
    /// only if something was installed.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxBusy`, `sandboxUnwritable`, and the errors of `body`.
    @discardableResult
    public func withWriterLock<R: Sendable>(_ body: @Sendable () async throws -> R) async throws -> R {
        // All folders are created and removed under the lock, except the one that contains it.
        try sandbox.requireOwn([sandbox.lock.parent])
        let place = try FileSystem.makeFolders(sandbox.lock.parent)
        var isChange = false
        defer { if !isChange { FileSystem.removeIfEmpty(place) } }
        try await transactions.writerLock.acquire()
        defer { transactions.writerLock.release() }
        let made = try sandbox.prepare()
        defer { if !isChange { FileSystem.removeIfEmpty(made) } }
        try FileSystem.sync(made: place + made)
        // Also after an error, because a failed commit may be on the disk. If that is unknown, nothing is removed.
        defer { isChange = (try? FileStamp(ofFile: sandbox.registry) != nil) ?? true }
        return try await body()
    }

    /// Deletes the data that an interrupted uninstallation has left, except that of bundles that were installed again.
    ///
    /// Failed deletions are repeated at the next change.
    private func finishErasing() {
        for identifier in (try? registry.notes.erased()) ?? [] {
            guard let versions = try? registry.versions.all(of: identifier),
                !versions.isEmpty || (try? FileSystem.remove(sandbox.dataFolder(of: identifier))) != nil
            else { continue }
            try? registry.notes.change(identifier) { $0.isErased = false }
        }
    }
}
