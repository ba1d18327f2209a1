import BundleFormat
import HostSystem
import PluginCore
import Registry
import Synchronization

/// The data versions of plugins: two are never used at once, and a version with a higher number starts on a copy.
struct DataVersions: SandboxPart {
    let transactions: SandboxTransactions

    /// The time to wait for another process that looks at the data, or copies it.
    private static let patience = Duration.seconds(2)

    /// Locks the data of a version that is about to run if it can be used as it is.
    ///
    /// - Returns: `nil` if it must be made ready, as ``use(of:)`` does.
    /// - Throws: ``ActivationCanceled`` when a version with other data has become active since the caller read the registry.
    private func readyUse(of bundle: PluginBundle) throws -> DataUse? {
        let use: DataUse
        do throws(AtriumError) {
            guard let ready = try usedFolders.data(of: bundle) else { return nil }
            use = ready
        } catch  where error.code == .sandboxUnwritable {
            // Another user's data, in a sandbox that this user only reads.
            use = DataUse(DataFolders(of: bundle.identifier, in: sandbox).container(bundle.dataVersion), nil)
        }
        // Another host may have changed the active version between the look-up and the lock, but not after it.
        try requireActive(bundle)
        return use
    }

    private func requireActive(_ bundle: PluginBundle) throws {
        guard try registry.active.version(of: bundle.identifier)?.dataVersion == bundle.dataVersion else {
            throw ActivationCanceled(bundle: bundle)
        }
    }

    /// Locks the data of a version that is about to run, and makes it ready first if necessary.
    ///
    /// - Throws: as ``readyUse(of:)``; ``AtriumError`` with code `sandboxBusy` while another data version is in use, `storageFull` if the data
    ///   can't be copied, and the errors of the disk.
    func use(of bundle: PluginBundle) async throws -> DataUse {
        let start = ContinuousClock.now
        while true {
            if let use = try readyUse(of: bundle) { return use }
            do {
                if try await prepare(bundle) { continue }
            } catch let error as AtriumError where error.code == .sandboxUnwritable {
                // Where nothing can be written, a plugin without data runs as long as it stores nothing.
                let folders = DataFolders(of: bundle.identifier, in: sandbox)
                guard try folders.use() == nil, try folders.numbers().isEmpty else { throw error }
                return DataUse(folders.container(bundle.dataVersion), nil)
            }
            guard ContinuousClock.now - start < Self.patience else { throw Self.inUse(bundle.identity) }
            // Not in this task, whose cancellation would make this a busy loop.
            await Task.detached { try? await Task.sleep(for: .milliseconds(20)) }.value
        }
    }

    /// Makes the data of a version the one that is used, away from the caller's actor, because it may be copied.
    ///
    /// - Returns: `false` while a process uses other data of the plugin.
    @concurrent
    private func prepare(_ bundle: PluginBundle) async throws -> Bool {
        let identifier = bundle.identifier
        let folders = DataFolders(of: identifier, in: sandbox)
        try sandbox.requireOwn([folders.root])
        try FileSystem.sync(made: FileSystem.makeFolders(folders.root, isPrivate: true))
        guard case .taken(let lock) = try folders.lock() else {
            try requireActive(bundle)
            return false
        }
        defer { lock.release() }
        try requireActive(bundle)
        let limit =
            folders.permitsNoWayBack(bundle.digest) ? nil : try registry.versions.manifest(of: bundle).dataCopyLimit
        let (left, aside) = try folders.prepare(bundle.dataVersion, limit: limit)
        if let aside { log(identifier.text, .error, ErrorReason("dataKeptAside", ["folder": "\(aside)"])) }
        if let left {
            log(
                bundle.identity, "dataStartsEmpty",
                ["number": .integer(left), "folder": "\(folders.container(left).root)"])
        }
        return true
    }

    // MARK: Activation

    /// Locks the data of those versions whose data version is higher than that of the active version, and checks that it can be copied.
    ///
    /// The bundles and extensions in this process that use the data without being at work are ended.
    ///
    /// - Parameters:
    ///   - isStaged: whether the versions only become active later, so that nothing is locked.
    ///   - isWayBackKept: `false` for data that may be taken over without a copy, when a version is loaded for the first time.
    /// - Returns: the exclusive locks, to be released after the commit, so that the data versions before can't be used any longer.
    /// - Throws: ``AtriumError`` with code `sandboxBusy` and reason `dataInUse` while a process uses the data; `storageFull` if it can't be copied.
    func prepareSwitch(
        to versions: [(manifest: Manifest, digest: String)], staging isStaged: Bool = false,
        keepingWayBack isWayBackKept: Bool = true
    ) async throws(AtriumError) -> [FolderLock] {
        var held: [FolderLock] = []
        let endIdleUsers = transactions.endIdleUsers.withLock { $0 }
        // Before anything is locked, because it calls the code of plugins.
        for (manifest, _) in isStaged ? [] : versions where try isRaise(manifest) {
            await running.unloadIdle(manifest.identity.identifier)
            await endIdleUsers(manifest.identity.identifier)
        }
        do throws(AtriumError) {
            for (manifest, digest) in versions where try isRaise(manifest) {
                let identifier = manifest.identity.identifier
                let folders = DataFolders(of: identifier, in: sandbox)
                if !isStaged {
                    switch try folders.lock() {
                    case .busy: throw Self.inUse(manifest.identity)
                    case .taken(let lock): held.append(lock)
                    case .gone: continue
                    }
                }
                if !isWayBackKept {
                    try folders.permitNoWayBack(digest)
                } else if !isStaged, let last = try folders.use()?.last, last < manifest.dataVersion,
                    !folders.permitsNoWayBack(digest)
                {
                    try folders.requireCopy(of: last, limit: manifest.dataCopyLimit)
                }
            }
            return held
        } catch {
            for lock in held { lock.release() }
            throw error
        }
    }

    /// Returns whether a version has a higher data version than the active one, or than the data that is left of the bundle.
    func isRaise(_ manifest: Manifest) throws(AtriumError) -> Bool {
        let identifier = manifest.identity.identifier
        if let active = try registry.active.version(of: identifier) { return manifest.dataVersion > active.dataVersion }
        // The data that an uninstalled version has left.
        return try DataFolders(of: identifier, in: sandbox).use().map { manifest.dataVersion > $0.last } ?? false
    }

    /// Checks that a version doesn't have a lower data version than a lower version of the same bundle.
    ///
    /// - Throws: ``AtriumError`` with code `packageInvalid`.
    func requireNotLowered(_ manifest: Manifest) throws(AtriumError) {
        let identity = manifest.identity
        for known in try registry.versions.all(of: identity.identifier)
        where known.version < identity.version && known.dataVersion > manifest.dataVersion {
            throw AtriumError(
                .packageInvalid, identity, reason: "dataVersionLowered",
                [
                    "number": .integer(manifest.dataVersion), "version": "\(known.version)",
                    "before": .integer(known.dataVersion),
                ])
        }
    }

    /// Checks that a version finds its data if it becomes active again.
    ///
    /// - Throws: ``AtriumError`` with code `nothingToRollBack`.
    func requireWayBack(to bundle: PluginBundle) throws(AtriumError) {
        let folders = DataFolders(of: bundle.identifier, in: sandbox)
        guard try !folders.isWayBack(bundle.dataVersion) else { return }
        throw AtriumError(
            .nothingToRollBack, bundle.identifier, reason: "dataWithoutWayBack",
            ["version": "\(bundle.version)"])
    }

    private static func inUse(_ identity: BundleIdentity) -> AtriumError {
        AtriumError(.sandboxBusy, identity, reason: "dataInUse")
    }
}

extension AtriumError {
    /// A Boolean value that indicates whether a version can't become active or run only because another data version is in use.
    var isDataInUse: Bool { code == .sandboxBusy && reason?.name == "dataInUse" }
}
