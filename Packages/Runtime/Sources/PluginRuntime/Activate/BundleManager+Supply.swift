import PluginCore
public import PluginRouter

/// What the catalog could bring, for requests whose bundle is not installed.
extension BundleManager: BundleSupply {
    /// The bundle whose newest version would serve an address; the installed one that does, when another call has brought
    /// it since the caller looked.
    public func supplier(ofRoute query: RouteQuery) async throws -> String? {
        let installed = try registry.routes(withHeads: RoutePattern.heads(matching: query.uri))
        if let serving = installed.first(where: query.isServed) { return serving.owner }
        return try offeredIfReachable().first { $0.serves(query, converters: converters) }?.identity.identifier
    }

    /// The target as the bundle declares it whose newest version would bring it; or the installed one, as for a route.
    public func supplier(ofTarget name: String) async throws -> TargetListing? {
        if let listing = try registry.target(named: name) { return listing }
        for manifest in try offeredIfReachable() {
            guard let target = manifest.targets.first(where: { $0.name == name }) else { continue }
            return TargetListing(target, owner: manifest.identity.identifier)
        }
        return nil
    }

    /// The bundle whose newest version would bring a service; the installed one that does, as for a route.
    public func supplier(ofService name: String) async throws -> String? {
        if let owner = try registry.owner(ofService: name) { return owner }
        return try offeredIfReachable().first { $0.services.contains(name) }?.identity.identifier
    }

    /// The patterns of all that could be brought.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable` when nobody can know.
    public func patterns() async throws -> [String] {
        try offered().flatMap(\.routes).map(\.pattern)
    }

    /// Installs a bundle, then runs `use`. When the bundle turns out not to be loadable, it is taken away again with all
    /// that came with it: nobody asked for it by name, and the sandbox is to be as it was.
    public func withSupplied<R: Sendable>(
        _ identifier: String, _ use: @Sendable () async throws -> R
    ) async throws -> R {
        // Another call has brought it by now; whether it goes again is for that one to say.
        if try registry.installed(identifier) != nil { return try await use() }
        let trace = SupplyTrace(of: identifier, in: sandbox)
        let report = try await install(identifier)
        do {
            return try await use()
        } catch let error as AtriumError
            where Self.isLoadFailure(error.code) && error.subject == report.bundle.identity.description
        {
            if report.before == nil, await !isRunning(identifier) {
                // What failed first is told, whether or not the rest succeeds.
                try? await takeBack(report.bundle, trace)
            }
            throw error
        }
    }

    /// Undoes an install without a word in the history.
    private func takeBack(_ bundle: PluginBundle, _ trace: SupplyTrace) async throws {
        try await turns.take {
            try await self.whileOpen(exclusively: true) {
                let installed = try self.requireInstalled(bundle.identity.identifier)
                try await self.withdraw(bundle.identity.identifier) { try self.registry.takeBack(installed) }
                try self.installer.clear(installed, deleteData: !trace.hadData)
            }
            // The folder of the lock can only go when the lock has gone.
            FileSystem.removeIfEmpty(trace.folders(with: bundle))
        }
    }

    private static func isLoadFailure(_ code: AtriumError.Code) -> Bool {
        [.libraryMissing, .libraryUnloadable, .libraryIncompatible, .bundleRefused].contains(code)
    }

    /// A catalog that can not be reached offers nothing.
    private func offeredIfReachable() throws(AtriumError) -> [Manifest] {
        do {
            return try offered()
        } catch  where error.code == .catalogUnreachable {
            return []
        }
    }

    /// The newest manifest of each bundle that is offered and not installed.
    private func offered() throws(AtriumError) -> [Manifest] {
        let installed = Set(try registry.identifiers())
        var newest: [String: Manifest] = [:]
        let offered = try catalog.listing().packages.map(\.manifest)
        for manifest in offered where !installed.contains(manifest.identity.identifier) {
            let known = newest[manifest.identity.identifier]?.identity.version
            if known.map({ $0 < manifest.identity.version }) ?? true {
                newest[manifest.identity.identifier] = manifest
            }
        }
        return newest.values.sorted { $0.identity.identifier < $1.identity.identifier }
    }
}
