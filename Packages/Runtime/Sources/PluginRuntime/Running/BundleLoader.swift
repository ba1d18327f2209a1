import Registry
import HostSystem
import PluginCore
import PluginRouter

/// The loader of bundles, each on the first request that needs it.
///
/// Each bundle gets access to the others through ``BundleCommunication``, which in turn gets the bundles from this loader.
@MainActor
final class BundleLoader: SandboxPart {
    nonisolated let pageWatcher = PageWatcher()
    nonisolated let transactions: SandboxTransactions
    nonisolated let liveUpdates: LiveUpdates
    /// Installs bundles for requests that no installed bundle handles; `nil` for none.
    nonisolated let onDemandProvider: (any OnDemandProvider)?
    /// The directory of routes.
    nonisolated let directory: any RouteDirectory
    /// The lease of the host's registrations.
    nonisolated let hostLease = Lease(owner: "host")
    /// The resources of the versions in use, which cache each seal.
    private var resourceTable: [PluginBundle: SealedResources] = [:]
    /// The folders of loaded libraries, which stay in use until the end of the session.
    var libraryFolders: [PluginBundle: UsedFolder] = [:]

    nonisolated var routing: HostRouting { transactions.routing }

    nonisolated init(_ transactions: SandboxTransactions, _ liveUpdates: LiveUpdates) {
        self.transactions = transactions
        self.liveUpdates = liveUpdates
        onDemandProvider = transactions.routing.onDemandProvider(transactions.install)
        directory = transactions.routing.directory(transactions.registry)
        for service in services.provided {
            communication.services.provide(service.name, policy: service.policy, under: hostLease, make: service.make)
        }
    }

    /// The router, the mediator and the exchanges, which get their bundles from this loader.
    ///
    /// Each use makes them anew. So the loader doesn't need a router before there is one, nor the router a loader.
    nonisolated var communication: BundleCommunication { BundleCommunication(self) }

    /// Returns a bundle in use; the first call loads it, and concurrent calls wait for that load.
    func loaded(_ identifier: BundleIdentifier) async throws -> LoadedBundle {
        while true {
            do {
                return try await active(identifier)
            } catch is ActivationCanceled {
                // Try again with the version that is active now.
            }
        }
    }

    /// Deactivates all bundles at the end of a session; each is informed, so that it can close its resources.
    func deactivateAll() async {
        liveUpdates.stop()
        await running.deactivateAll()
        crashMonitor.end()
        records.write()
        libraryFolders = [:]
    }

    private func active(_ identifier: BundleIdentifier) async throws -> LoadedBundle {
        await running.waitForRemoval(of: identifier)
        if let version = running.activations[identifier] {
            let principal = try await version.active()
            guard let error = version.process?.crash else {
                return LoadedBundle(principal: principal, lease: version.lease)
            }
            // A request can come before the end of the process was noticed here.
            await ended(version, error)
            return try await active(identifier)
        }
        liveUpdates.start()
        return try await start(
            registry.active.version(of: identifier) ?? registry.requireInstalled(identifier).active)
    }

    /// Starts a version that the caller has found in the registry.
    ///
    /// It runs in the caller's task, because a separate task would add a third to the load time of a small plugin. The start ignores
    /// the cancellation of that task, since other callers may wait for it.
    ///
    /// - Throws: ``ActivationCanceled`` when another version has replaced it meanwhile.
    func start(_ bundle: PluginBundle) async throws -> LoadedBundle {
        let version = Activation(of: bundle, watching: crashMonitor.watch(of: bundle))
        running.begin(version)
        let result: Result<Principal, any Error>
        do {
            result = .success(try await version.running { try await load(version) })
        } catch {
            // Before the waiting callers see a failure, so that they can try again. A bundle that was cut off couldn't register
            // anything, which isn't its fault.
            let isCutOff = !running.remove(version)
            result = .failure(isCutOff || isOutOfDate(bundle, error) ? ActivationCanceled(bundle: bundle) : error)
        }
        version.finish(result)
        return LoadedBundle(principal: try result.get(), lease: version.lease)
    }

    /// Returns whether a start failed because the bundle was looked up before a change of the registry and its requirements after it.
    private func isOutOfDate(_ bundle: PluginBundle, _ error: any Error) -> Bool {
        guard (error as? AtriumError)?.code == .dependencyUnmet else { return false }
        // The next reader reports an unreadable registry.
        guard let active = try? registry.active.version(of: bundle.identifier) else { return true }
        return active != bundle
    }

    // MARK: Resources

    /// Returns the resources of a bundle, without loading its code.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `bundleUnavailable`, and the errors of loading when the signer
    ///   is no longer trusted or the seal is missing.
    func resources(of identifier: BundleIdentifier) throws -> BundleResources {
        guard let (bundle, folder) = try policy.requireResources(of: identifier) else {
            throw AtriumError(.bundleNotInstalled, identifier)
        }
        return resources(of: bundle, using: folder)
    }

    /// Returns the resources of a version, each of which is verified when it is read.
    ///
    /// - Parameter folder: the version's folder for a page defined by data, which has no lease; `nil` for those of running code.
    func resources(of bundle: PluginBundle, using folder: UsedFolder? = nil) -> BundleResources {
        // Some of those in the table may not be in use any longer.
        if resourceTable.count >= 16, resourceTable[bundle] == nil { resourceTable = [:] }
        let (sealed, log) = (resourceTable[bundle] ?? SealedResources(of: bundle, in: sandbox), services.log)
        resourceTable[bundle] = sealed
        return BundleResources(root: sealed.root, languages: services.languages) {
            [policy] name, limit throws(AtriumError) in
            defer { withExtendedLifetime(folder) {} }
            let bytes = try sealed.bytes(of: name, limit: limit)
            // Only now, because a rejected version must not cause writes.
            policy.saveRecords()
            return bytes
        } onRefusedTexts: { error in
            guard sealed.isFirst("\(error)") else { return }
            self.log(bundle.identity, "textsNotShown", ["error": .reason(.error(error))])
        } onMissingText: { [isForDevelopment = sandbox.isForDevelopment] sentence in
            guard sealed.isFirst(sentence) else { return }
            // An author learns what is missing in all languages; one language may lack what another one has.
            let isFault = isForDevelopment && !sentence.contains("; the text in ")
            log(bundle.identifier.text, isFault ? .error : .debug, .verbatim(sentence))
        }
    }
}

/// The installed bundles, as router, mediator and service exchange ask for them.
extension BundleLoader: InstalledBundles {
    nonisolated func loaded(_ owner: String) async throws -> LoadedBundle {
        try await loaded(BundleIdentifier(owner: owner))
    }

    nonisolated func resources(of owner: String) async throws -> BundleResources {
        try await resources(of: BundleIdentifier(owner: owner))
    }

    nonisolated func catchUp() async { await liveUpdates.catchUp() }

    nonisolated func target(named name: String) async throws -> TargetListing? {
        try registry.target(named: name)
    }

    nonisolated func targetNames() async throws -> [String] { try registry.targetNames() }

    nonisolated func owner(ofService name: String) async throws -> String? {
        try registry.owner(ofService: name)
    }

    nonisolated func serviceNames() async throws -> [String] { try registry.serviceNames() }
}
