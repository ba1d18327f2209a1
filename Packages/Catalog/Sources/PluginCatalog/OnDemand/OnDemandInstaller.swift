import BundleFormat
import CatalogFormat
import HostSystem
public import PluginCore
public import PluginRouter
public import PluginRuntime
public import Registry

/// The installer of bundles in the catalog for requests that no installed bundle handles.
///
/// ```swift
/// let routing = HostRouting.installingOnDemand(navigator)
/// ```
public struct OnDemandInstaller: OnDemandProvider {
    /// The policy for installs, and their observer.
    public let settings: OnDemandSettings
    private let install: InstallTransaction

    /// The registry of installed bundles.
    public var registry: Registry { install.registry }
    private var sandbox: Sandbox { install.policy.sandbox }
    private var running: RunningBundles { install.running }
    private var installer: Installer { install.installer }
    private var writer: SandboxWriter { install.writer }

    /// Creates the installer of a manager, which makes its changes by a transaction.
    public init(_ install: InstallTransaction, _ settings: OnDemandSettings) {
        self.install = install
        self.settings = settings
    }

    /// The types that captures may have, in all patterns of the catalog.
    public var converters: RouteConverters { install.planner.converters }

    /// Returns what a search finds in the offers of the catalog, as ``Host/search(_:)``.
    public func search<Found>(_ search: (OfferedVersions) throws -> Found) async throws -> Found {
        try await install.source.search { try search(install.offered($0)) }
    }

    /// Returns the reason why a bundle may not be installed on demand.
    ///
    /// - Returns: `nil` when it may, or when the user can be asked.
    private func policyRefusal(of identifier: BundleIdentifier) -> AtriumError? {
        let policy = settings.policy
        switch policy.rule {
        case .never:
            return AtriumError(.installNotAllowed, identifier, reason: "forbiddenBy", ["source": .text(policy.source)])
        case .ask where policy.ask == nil:
            return AtriumError(
                .installNotAllowed, identifier,
                reason: "confirmationNeeded", ["source": .text(policy.source)])
        case .ask: return nil
        case .always:
            guard policy.ask == nil else { return nil }
            do {
                return try registry.notes.uninstalled().contains(identifier)
                    ? Self.uninstalledByName([identifier]) : nil
            } catch {
                return error
            }
        }
    }

    /// Checks that a bundle may be installed on demand, and asks the user if necessary.
    ///
    /// - Throws: ``AtriumError`` with code `installNotAllowed`, and as ``InstallTransaction/run(_:offering:staging:keepingWayBack:)``.
    private func requireAllowed(of identifier: BundleIdentifier) async throws {
        if let refusal = policyRefusal(of: identifier) { throw refusal }
        let policy = settings.policy
        let known = try registry.notes.uninstalled()
        if policy.rule == .always, known.isEmpty { return }
        let coming = try await search { offers in
            let steps = try offers.plan([.install(identifier)]).steps.filter { $0.from == nil }
            return try steps.compactMap(\.arrival).map { try offers.catalog.package($0).manifest }
        }
        let arrivals = coming.map(\.identity)
        let uninstalled = arrivals.map(\.identifier).filter(known.contains)
        if policy.rule == .always, uninstalled.isEmpty { return }
        guard let bundle = arrivals.first(where: { $0.identifier == identifier }) else { return }
        guard let ask = policy.ask else { throw Self.uninstalledByName(uninstalled) }
        var permissions: [BundleIdentifier: [BundlePermission]] = [:]
        for manifest in coming where !manifest.permissions.isEmpty {
            permissions[manifest.identity.identifier] = manifest.permissions
        }
        let question = OnDemandPolicy.Question(
            bundle: bundle, others: arrivals.filter { $0 != bundle }, uninstalled: uninstalled, permissions: permissions
        )
        guard await UserQuestion.pausingDeadlines({ await ask(question) }) else {
            throw AtriumError(.installNotAllowed, identifier, reason: "answerWasNo")
        }
    }

    private static func uninstalledByName(_ identifiers: [BundleIdentifier]) -> AtriumError {
        AtriumError(.installNotAllowed, identifiers.map(\.text).joined(separator: ", "), reason: "uninstalledByName")
    }

    /// Returns the bundle that would handle an address in the version that would be installed.
    ///
    /// Returns an installed bundle if another call has installed it meanwhile.
    public func providingBundle(ofRoute query: RouteQuery) async throws -> String? {
        try await whileUnchanged { installed, offers in
            let routes = try registry.routes.routes(withFirstSegments: RoutePattern.firstSegments(matching: query.uri))
            if let serving = routes.first(where: query.isServed) { return serving.owner }
            return try serving(query, in: offers, besides: installed).first { refusal(of: $0, in: offers) == nil }?
                .identity.identifier.text
        }
    }

    /// Returns the reason why the first bundle that would handle an address can't be installed, or not in a suitable version.
    public func refusal(ofRoute query: RouteQuery) async throws -> AtriumError? {
        try await search { offers in
            let installed = Set(try registry.active.identifiers())
            let serving = try serving(query, in: offers, besides: installed, includingBlocked: true)
            return serving.lazy.compactMap { self.refusal(of: $0, in: offers) }.first
        }
    }

    /// Returns the reason why an offered bundle can't be installed on demand, including a policy that forbids it.
    public func refusal(of manifest: Manifest, in offers: OfferedVersions) -> AtriumError? {
        policyRefusal(of: manifest.identity.identifier) ?? offers.refusal(of: manifest)
    }

    private func serving(
        _ query: RouteQuery, in offers: OfferedVersions, besides installed: Set<BundleIdentifier>,
        includingBlocked: Bool = false
    ) throws(AtriumError) -> [Manifest] {
        let needs = RoutePattern.firstSegments(matching: query.uri).map { CatalogNeed.route(firstSegment: $0) }
        return try offered(for: needs, in: offers, besides: installed, includingBlocked: includingBlocked) {
            $0.serves(query, converters: converters)
        }
    }

    /// Returns the target declared by the bundle that would be installed, or by an installed one as for routes.
    public func providingBundle(ofTarget name: String) async throws -> TargetListing? {
        try await whileUnchanged { installed, offers in
            if let listing = try registry.target(named: name) { return listing }
            let manifest = try firstProvider(of: .target(name), in: offers, besides: installed) {
                $0.targets.contains { $0.name == name }
            }
            guard let manifest, let target = manifest.targets.first(where: { $0.name == name }) else { return nil }
            return TargetListing(target, owner: manifest.identity.identifier.text)
        }
    }

    /// Returns the bundle that would provide a service, or an installed one as for routes.
    public func providingBundle(ofService name: String) async throws -> String? {
        try await whileUnchanged { installed, offers in
            if let owner = try registry.owner(ofService: name) { return owner }
            let manifest = try firstProvider(of: .service(name), in: offers, besides: installed) {
                $0.services.contains(name)
            }
            return manifest?.identity.identifier.text
        }
    }

    /// Searches the registry, and then the catalog for bundles that aren't installed.
    ///
    /// If nothing is found while the set of installed bundles changes, the search is repeated, because a bundle that is being
    /// installed or removed could be missed in both places.
    private func whileUnchanged<R>(
        _ look: (_ installed: Set<BundleIdentifier>, OfferedVersions) throws -> R?
    ) async throws -> R? {
        var installed = Set(try registry.active.identifiers())
        while true {
            if let found = try await search({ try look(installed, $0) }) { return found }
            let now = Set(try registry.active.identifiers())
            if now == installed { return nil }
            installed = now
        }
    }

    /// Returns the patterns of all bundles that could be installed, in their newest versions that aren't blocked.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`.
    public func patterns() async throws -> [String] {
        try await search { offers in
            let blockReason = try offers.blockRule()
            return try grouped(offers.catalog.listing().packages, besides: Set(registry.active.identifiers()))
                .compactMap {
                    try $0.first { try blockReason($0.identity) == nil }
                }.flatMap(\.routes).map(\.pattern)
        }
    }

    /// Installs a bundle on demand and runs a closure; if the bundle can't be loaded, removes everything that was installed for it.
    ///
    /// Bundles that were requested by name, are running or have run since are not removed.
    public func withOnDemandInstall<R: Sendable>(
        _ owner: String, _ use: @Sendable () async throws -> R
    ) async throws -> R {
        let identifier = try BundleIdentifier(owner: owner)
        // Another call has installed it meanwhile, and is responsible for removing it.
        if try registry.active.bundle(identifier) != nil { return try await use() }
        try await requireAllowed(of: identifier)
        let before = Set(try registry.active.identifiers())
        let trace = InstallSnapshot(of: sandbox)
        var order = InstallOrder([.install(identifier)], because: .onDemand)
        order.token = trace.request
        let reports = try await install.fulfill(order).reports
        settings.report(reports)
        do {
            return try await use()
        } catch let error as AtriumError
            where Self.isLoadFailure(error.code)
            && reports.contains(where: { $0.bundle.identity.description == error.subject })
        {
            let new = reports.map(\.bundle).filter { !before.contains($0.identifier) }
            // The first error is reported, whether or not the removal succeeds.
            try? await undoInstall(new, of: identifier, trace)
            throw error
        }
    }

    /// Reverts the installation of new bundles without a history entry, as far as they aren't in use.
    private func undoInstall(_ bundles: [PluginBundle], of identifier: BundleIdentifier, _ trace: InstallSnapshot)
        async throws
    {
        try await writer.withMutex {
            let going = try await writer.withWriterLock {
                let going = try await removeUseless(bundles, of: identifier, trace)
                if going.isEmpty { return going }
                try installer.collector.collect(going.map(\.identifier))
                for bundle in going where trace.made(containerOf: bundle.identifier) {
                    try DataFolders(of: bundle.identifier, in: sandbox).removeIfEmpty()
                }
                registry.removeIfUnused()
                return going
            }
            // The lock's folder can only be removed after the lock is released.
            if going == bundles { FileSystem.removeIfEmpty(trace.folders(with: bundles)) }
        }
    }

    /// Removes those of some bundles that no process needs from the registry, while their folders are locked, and returns them.
    private func removeUseless(
        _ bundles: [PluginBundle], of identifier: BundleIdentifier, _ trace: InstallSnapshot
    ) async throws -> [PluginBundle] {
        var untouched: [PluginBundle] = []
        for bundle in bundles where try await isUnchanged(bundle, since: trace) { untouched.append(bundle) }
        var locks: [PluginBundle: FolderLock] = [:]
        defer { for lock in locks.values { lock.release() } }
        for bundle in try useless(untouched, of: identifier) {
            locks[bundle] = try FolderLock.removal(of: sandbox.folder(of: bundle))
        }
        let going = try useless(untouched.filter { locks[$0] != nil }, of: identifier)
        if going.isEmpty { return [] }
        let changes = going.map { RegistryChange.undoInstall($0.identifier, from: trace.request) }
        _ = try await running.deactivateForRemoval(going.map(\.identifier)) { try installer.commit(changes) }
        return going
    }

    /// Returns whether a bundle is unchanged since its on-demand install, and isn't running, requested by name or known to have run.
    private func isUnchanged(_ bundle: PluginBundle, since trace: InstallSnapshot) async throws -> Bool {
        let identifier = bundle.identifier
        if await running.isRunning(identifier) { return false }
        let installed = try registry.active.bundle(identifier)
        return try installed?.active == bundle && installed?.previous == nil
            && registry.notes.notes(about: identifier).installToken == trace.request
    }

    /// Returns those of some bundles that no other bundle requires; none if the failed bundle itself is required.
    private func useless(_ bundles: [PluginBundle], of identifier: BundleIdentifier) throws -> [PluginBundle] {
        var going = bundles
        while true {
            let names = Set(going.map(\.identifier))
            let needless = try going.filter { bundle in
                let identifier = bundle.identifier
                return try registry.dependents(of: identifier).allSatisfy { dependent in
                    try names.contains(dependent)
                        || !(registry.active.version(of: dependent)?.requirements ?? []).contains {
                            $0.identifier == identifier && !$0.isOnDemand
                        }
                }
            }
            guard needless.contains(where: { $0.identifier == identifier }) else { return [] }
            if needless == going { return going }
            going = needless
        }
    }

    private static func isLoadFailure(_ code: AtriumError.Code) -> Bool {
        [.libraryMissing, .libraryUnloadable, .libraryIncompatible, .bundleRefused, .startTimedOut].contains(code)
    }

    /// Returns a bundle that satisfies a condition and can be installed, or else one that can't, whose refusal has the reason.
    private func firstProvider(
        of need: CatalogNeed, in offers: OfferedVersions, besides installed: Set<BundleIdentifier>,
        _ hasIt: (Manifest) -> Bool
    ) throws(AtriumError) -> Manifest? {
        let offered = try offered(for: [need], in: offers, besides: installed, hasIt)
        return offered.first { refusal(of: $0, in: offers) == nil } ?? offered.first
    }

    /// Returns the manifests that would be installed for bundles that aren't installed, if they satisfy a condition, by identifier.
    ///
    /// An unreachable catalog counts as empty.
    ///
    /// - Parameters:
    ///   - needs: the needs, one of which a manifest with the condition meets.
    ///   - includingBlocked: whether to return the newest version that satisfies the condition, if the one that would be
    ///     installed doesn't.
    private func offered(
        for needs: [CatalogNeed], in offers: OfferedVersions, besides installed: Set<BundleIdentifier>,
        includingBlocked: Bool = false,
        _ isWanted: (Manifest) -> Bool
    ) throws(AtriumError) -> [Manifest] {
        let blockReason = try offers.blockRule()
        let listed: [[Manifest]]
        do {
            if let catalog = offers.catalog as? any Catalog {
                listed = grouped(try catalog.packages(for: needs), besides: installed)
            } else {
                listed = grouped(try offers.catalog.listing().packages, besides: installed)
            }
        } catch  where error.code == .catalogUnreachable {
            return []
        }
        var found: [Manifest] = []
        for manifests in listed {
            guard let newest = manifests.first(where: isWanted) else { continue }
            let identifier = newest.identity.identifier
            let version = try offers.arrival(of: identifier, from: manifests.map(\.identity.version), blockReason)
            if let manifest = manifests.first(where: { $0.identity.version == version }), isWanted(manifest) {
                found.append(manifest)
            } else if includingBlocked {
                found.append(newest)
            }
        }
        return found
    }

    /// Returns the manifests of offered bundles that aren't installed, grouped by bundle, newest first.
    private func grouped(_ packages: [CatalogPackage], besides installed: Set<BundleIdentifier>) -> [[Manifest]] {
        let new = packages.map(\.manifest).filter { !installed.contains($0.identity.identifier) }
        return Dictionary(grouping: new, by: \.identity.identifier).sorted { $0.key < $1.key }.map(\.value)
    }
}
