package import Registry
public import PluginCore
public import PluginRouter

/// The versions that a catalog offers to a sandbox.
public struct OfferedVersions: SandboxPart {
    package let transactions: SandboxTransactions
    /// The offers of the source of packages.
    public let catalog: any Offers

    /// The types that captures may have, in all patterns of the catalog.
    public var converters: RouteConverters { transactions.services.converters }

    /// Plans an install or update of some bundles without making it.
    ///
    /// - Throws: as ``InstallTransaction/run(_:offering:staging:keepingWayBack:)``.
    package func plan(_ requests: [ChangeRequest]) throws(AtriumError) -> ResolvedChange {
        try planner.plan(requests, from: planner.sealed(catalog))
    }

    /// Returns a function that returns the reason why a version is blocked.
    package func blockRule() throws(AtriumError) -> VersionQuestion.BlockRule {
        try planner.blockRule(in: catalog)
    }

    /// Returns whether an update replaces the libraries of an active version, which are for another host, by those of the same version.
    package func fetchesLibraries(of active: PluginBundle) throws(AtriumError) -> Bool {
        try planner.lacksLibraries(active) && planner.isOffered(active, in: catalog)
    }

    /// Returns the reason why an offered bundle can't be installed according to its manifest, such as requirements or conflicts.
    public func refusal(of manifest: Manifest) -> AtriumError? {
        do {
            _ = try plan([.install(manifest.identity.identifier, manifest.identity.version)])
            try registry.requireFree(manifest)
            try policy.requireNamesFree(manifest)
            return nil
        } catch {
            return error
        }
    }
}

extension InstallTransaction {
    /// Returns some offers as the versions that they offer to the sandbox.
    package func offered(_ offers: any Offers) -> OfferedVersions {
        OfferedVersions(transactions: transactions, catalog: offers)
    }
}
