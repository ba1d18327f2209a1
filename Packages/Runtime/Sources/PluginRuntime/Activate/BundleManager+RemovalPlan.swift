import Registry
import Resolver
import PluginCore

/// The effect of removing bundles on staged versions.
extension BundleManager {
    /// The result of planning a removal.
    struct RemovalPlan: Sendable {
        /// The bundles of which all versions are removed, in an order such that each comes before those that it needs.
        var identifiers: [String] = []
        /// The staged versions that are removed alone, because no version of the bundle is active, or the active one can stay.
        var staged: [PluginBundle] = []
    }

    /// Plans the removal of bundles, for the active versions and for those at the next start of a host.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, or `bundleNeeded` with the dependent bundles.
    nonisolated func removalPlan(by requests: [ResolverRequest]) throws(AtriumError) -> RemovalPlan {
        let offers = CatalogOffers(catalog: catalog, registry: registry)
        let staged = try registry.staged.all()
        var removal = RemovalPlan()
        var active: [ResolverRequest] = []
        for request in requests {
            let isStagedAlone = try registry.active.version(of: request.identifier) == nil
            if !isStagedAlone || !staged.contains(where: { $0.identity.identifier == request.identifier }) {
                active.append(request)
            }
        }
        removal.identifiers = try Resolver(sandbox: RegistrySandbox(registry: registry), offers: offers)
            .plan(active).departures
        if staged.isEmpty { return removal }
        do throws(AtriumError) {
            let next = try Resolver(sandbox: StagedSandbox(registry: registry), offers: offers).plan(requests)
                .departures
            removal.staged = staged.filter {
                next.contains($0.identity.identifier) && !removal.identifiers.contains($0.identity.identifier)
            }
        } catch  where error.code == .bundleNeeded {
            let lines = staged.map { "\($0.identity) needs " }
            throw AtriumError(
                .bundleNeeded, error.subject,
                problems: error.problems.map { line in
                    lines.contains(where: line.hasPrefix) ? line + ", and is staged" : line
                })
        }
        return removal
    }
}

extension ResolvedChange {
    /// The removed bundles.
    fileprivate var departures: [String] { steps.filter { $0.to == nil }.map(\.identifier) }
}
