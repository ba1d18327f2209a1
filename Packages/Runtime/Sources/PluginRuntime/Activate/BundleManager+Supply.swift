#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
public import PluginCore
public import PluginRouter

/// What the catalog could bring, for requests whose bundle is not installed.
extension BundleManager: BundleSupply {
    /// The bundle that would serve an address in the version that an install brings; the installed one that does, when another call has brought
    /// it since the caller looked.
    public func supplier(ofRoute query: RouteQuery) async throws -> String? {
        try whileUnchanged { installed in
            let routes = try registry.routes(withHeads: RoutePattern.heads(matching: query.uri))
            if let serving = routes.first(where: query.isServed) { return serving.owner }
            return try serving(query, besides: installed).first { supplyRefusal(of: $0) == nil }?.identity.identifier
        }
    }

    /// Why the first bundle that would serve an address cannot be installed, or not in the version that would.
    public func refusal(ofRoute query: RouteQuery) async throws -> AtriumError? {
        let serving = try serving(query, besides: Set(registry.identifiers()), isBarredToo: true)
        return serving.lazy.compactMap { self.supplyRefusal(of: $0) }.first
    }

    /// What an install of a bundle brings: the newest version that was not put away, is not below one that has run here, and goes
    /// together with what is installed. When none does, the newest of them, whose refusal says why; `nil` when nothing is on offer.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`, and what is wrong with the package.
    public nonisolated func offer(of identifier: String) throws(AtriumError) -> Manifest? {
        let versions = try catalog.versions(of: identifier)
        if versions.isEmpty { try catalog.requireReachable() }
        guard let version = try arrival(of: identifier, from: versions, bars()) else { return nil }
        return try catalog.package(BundleIdentity(identifier: identifier, version: version)).manifest
    }

    /// The version that an install brings of those on offer, newest first.
    private nonisolated func arrival(
        of identifier: String, from versions: [SemanticVersion], _ bar: Resolver.Bar
    ) throws(AtriumError) -> SemanticVersion? {
        var open: [SemanticVersion] = []
        for version in versions where try bar(BundleIdentity(identifier: identifier, version: version)) == nil {
            open.append(version)
        }
        // Where there is no choice nothing has to be planned.
        guard open.count > 1 else { return open.first ?? versions.first }
        // Why there is no plan is told by the refusal.
        let plan = try? plan([.install(identifier)])
        return plan?.steps.first { $0.identifier == identifier }?.to ?? open.first
    }

    /// Why a bundle that is offered cannot be installed, as far as its manifest tells: it needs what cannot be had, has what
    /// another one has, or was built for another Core.
    public nonisolated func refusal(of manifest: Manifest) -> AtriumError? {
        do {
            _ = try plan([.install(manifest.identity.identifier, manifest.identity.version)])
            try manifest.requireCore()
            try registry.requireFree(manifest)
            try requireFree(manifest)
            return nil
        } catch {
            return error
        }
    }

    /// Why a bundle that is offered cannot be installed for a request: as ``refusal(of:)``, or because that is not allowed.
    public nonisolated func supplyRefusal(of manifest: Manifest) -> AtriumError? {
        onDemandRefusal(of: manifest.identity.identifier) ?? refusal(of: manifest)
    }

    private func serving(
        _ query: RouteQuery, besides installed: Set<String>, isBarredToo: Bool = false
    ) throws(AtriumError) -> [Manifest] {
        try offered(besides: installed, isBarredToo: isBarredToo) { $0.serves(query, converters: converters) }
    }

    /// The target as the bundle declares it that an install would bring; or the installed one, as for a route.
    public func supplier(ofTarget name: String) async throws -> TargetListing? {
        try whileUnchanged { installed in
            if let listing = try registry.target(named: name) { return listing }
            let manifest = try supplying(besides: installed) { $0.targets.contains { $0.name == name } }
            guard let manifest, let target = manifest.targets.first(where: { $0.name == name }) else { return nil }
            return TargetListing(target, owner: manifest.identity.identifier)
        }
    }

    /// The bundle that would bring a service; the installed one that does, as for a route.
    public func supplier(ofService name: String) async throws -> String? {
        try whileUnchanged { installed in
            if let owner = try registry.owner(ofService: name) { return owner }
            return try supplying(besides: installed) { $0.services.contains(name) }?.identity.identifier
        }
    }

    /// What `look` finds in the registry, or in the catalog besides what is installed. When it finds nothing while that
    /// changes, it looks again: what another call brings or takes away at the time could be missed in both places.
    private func whileUnchanged<R>(_ look: (_ installed: Set<String>) throws -> R?) throws -> R? {
        var installed = Set(try registry.identifiers())
        while true {
            if let found = try look(installed) { return found }
            let now = Set(try registry.identifiers())
            if now == installed { return nil }
            installed = now
        }
    }

    /// The patterns of all that could be brought, of each bundle's newest version that is not barred.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable` when nobody can know.
    public func patterns() async throws -> [String] {
        let bar = try bars()
        return try listed(besides: Set(registry.identifiers())).compactMap { manifests in
            try manifests.first { try bar($0.identity) == nil }
        }.flatMap(\.routes).map(\.pattern)
    }

    /// Installs a bundle, then runs `use`. When the bundle turns out not to be loadable, it is taken away again with all
    /// that came with it, as far as nobody has asked for it by name, runs it or has run it since: the sandbox is to be as it was.
    public func withSupplied<R: Sendable>(
        _ identifier: String, _ use: @Sendable () async throws -> R
    ) async throws -> R {
        // Another call has brought it by now; whether it goes again is for that one to say.
        if try registry.installed(identifier) != nil { return try await use() }
        try await requireOnDemandInstall(of: identifier)
        let before = Set(try registry.identifiers())
        let trace = SupplyTrace(of: sandbox)
        let reports = try await change([.install(identifier)], because: .onDemand, for: trace.request)
        do {
            return try await use()
        } catch let error as AtriumError
            where Self.isLoadFailure(error.code)
            && reports.contains(where: { $0.bundle.identity.description == error.subject })
        {
            let new = reports.map(\.bundle).filter { !before.contains($0.identity.identifier) }
            // What failed first is told, whether or not the rest succeeds.
            try? await takeBack(new, of: identifier, trace)
            throw error
        }
    }

    /// Undoes an install of new bundles without a word in the history, as far as nobody has found a use for them.
    private func takeBack(_ bundles: [PluginBundle], of identifier: String, _ trace: SupplyTrace) async throws {
        hasChanged = true
        try await turns.take {
            let going = try await self.whileAlone {
                let going = try await self.withUseless(bundles, of: identifier, trace) { going in
                    let changes = going.map { RegistryChange.takeBack($0, from: trace.request) }
                    return try await self.withdraw(going) { try self.installer.commit(changes) }
                }
                if going.isEmpty { return going }
                try self.installer.clear(going)
                for bundle in going where trace.made(containerOf: bundle.identity.identifier) {
                    try FileSystem.removeFolders(try self.sandbox.container(of: bundle.identity.identifier))
                }
                self.registry.removeIfUnused()
                return going
            }
            // The folder of the lock can only go when the lock has gone.
            if going == bundles { FileSystem.removeIfEmpty(trace.folders(with: bundles)) }
        }
    }

    /// Takes those of some bundles out of the registry that nobody needs, while nobody can begin to use them; returns them.
    private func withUseless(
        _ bundles: [PluginBundle], of identifier: String, _ trace: SupplyTrace,
        _ remove: ([String]) async throws -> [PluginBundle]
    ) async throws -> [PluginBundle] {
        var untouched: [PluginBundle] = []
        for bundle in bundles where try await isUntouched(bundle, since: trace) { untouched.append(bundle) }
        var locks: [PluginBundle: Int32] = [:]
        defer { for lock in locks.values { VersionHolds.endRemoval(lock) } }
        for bundle in try useless(untouched, of: identifier) {
            // What this process has loaded for the bundle that failed is of no use to it.
            if !lent.isUsed(bundle) { holds.release(bundle) }
            locks[bundle] = try VersionHolds.removal(of: sandbox.folder(of: bundle))
        }
        let going = try useless(untouched.filter { locks[$0] != nil }, of: identifier)
        if going.isEmpty { return [] }
        _ = try await remove(going.map(\.identity.identifier))
        return going
    }

    /// Returns whether a bundle is as it came, and nobody runs it here, has asked for it by name since, or has run it.
    private func isUntouched(_ bundle: PluginBundle, since trace: SupplyTrace) async throws -> Bool {
        let identifier = bundle.identity.identifier
        if await isRunning(identifier) { return false }
        return try registry.installed(identifier) == InstalledBundle(active: bundle, previous: nil)
            && registry.supply(of: identifier) == trace.request
    }

    /// Those of some bundles that no other one cannot do without; none when the bundle that brought the others is none of them.
    private func useless(_ bundles: [PluginBundle], of identifier: String) throws -> [PluginBundle] {
        var going = bundles
        while true {
            let names = Set(going.map(\.identity.identifier))
            let needless = try going.filter { bundle in
                let identifier = bundle.identity.identifier
                return try registry.dependents(of: identifier).allSatisfy { dependent in
                    try names.contains(dependent)
                        || !registry.requirements(of: dependent).contains {
                            $0.identifier == identifier && !$0.isOnDemand
                        }
                }
            }
            guard needless.contains(where: { $0.identity.identifier == identifier }) else { return [] }
            if needless == going { return going }
            going = needless
        }
    }

    private static func isLoadFailure(_ code: AtriumError.Code) -> Bool {
        [.libraryMissing, .libraryUnloadable, .libraryIncompatible, .bundleRefused, .startTimedOut].contains(code)
    }

    /// The bundle that has what is asked for and can be installed; when none can, one that cannot: who installs it hears why.
    private func supplying(
        besides installed: Set<String>, _ hasIt: (Manifest) -> Bool
    ) throws(AtriumError) -> Manifest? {
        let offered = try offered(besides: installed, hasIt)
        return offered.first { supplyRefusal(of: $0) == nil } ?? offered.first
    }

    /// What installs would bring of bundles that are not installed, as far as it is wanted; by identifier. A catalog that cannot be
    /// reached offers nothing.
    ///
    /// - Parameter isBarredToo: whether to name a newer version that is wanted, when the one that would come is not.
    private func offered(
        besides installed: Set<String>, isBarredToo: Bool = false, _ isWanted: (Manifest) -> Bool
    ) throws(AtriumError) -> [Manifest] {
        let bar = try bars()
        let listed: [[Manifest]]
        do {
            listed = try self.listed(besides: installed)
        } catch  where error.code == .catalogUnreachable {
            return []
        }
        var found: [Manifest] = []
        for manifests in listed {
            guard let newest = manifests.first(where: isWanted) else { continue }
            let identifier = newest.identity.identifier
            let version = try arrival(of: identifier, from: manifests.map(\.identity.version), bar)
            if let manifest = manifests.first(where: { $0.identity.version == version }), isWanted(manifest) {
                found.append(manifest)
            } else if isBarredToo {
                found.append(newest)
            }
        }
        return found
    }

    /// The manifests of what is offered and not installed: those of a bundle together, newest first.
    private func listed(besides installed: Set<String>) throws(AtriumError) -> [[Manifest]] {
        var listed: [[Manifest]] = []
        for manifest in try catalog.listing().packages.map(\.manifest)
        where !installed.contains(manifest.identity.identifier) {
            if listed.last?.first?.identity.identifier == manifest.identity.identifier {
                listed[listed.count - 1].append(manifest)
            } else {
                listed.append([manifest])
            }
        }
        return listed
    }
}
