import Registry
import Resolver
import PluginCore

/// The effect of removing bundles on active and staged versions.
struct RemovalPlan: Sendable {
    /// The bundles of which all versions are removed, in an order such that each comes before those that it needs.
    var identifiers: [String] = []
    /// The staged versions that are removed alone, because no version of the bundle is active, or the active one can stay.
    var staged: [PluginBundle] = []
}

extension ChangePlanner {
    /// Plans the removal of bundles, for the active versions and for those at the next start of a host.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, or `bundleNeeded` with the dependent bundles.
    func removalPlan(by requests: [ResolverRequest]) throws(AtriumError) -> RemovalPlan {
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
        removal.identifiers = try resolver.plan(active).departures
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

    /// Returns the bundles that were installed only as requirements and that no bundle needs any longer.
    ///
    /// A bundle is needed if one that isn't itself installed as a requirement requires it directly or indirectly, in its active,
    /// staged or kept version.
    ///
    /// - Throws: the errors of the registry.
    func unneeded() throws(AtriumError) -> [PluginBundle] {
        let reasons = try registry.reasons.all()
        guard reasons.values.contains(.required) else { return [] }
        let installed = try registry.active.all()
        var needs: [String: Set<String>] = [:]
        for bundle in installed {
            let identifier = bundle.active.identity.identifier
            needs[identifier] = Set(try registry.requirements.all(of: identifier).map(\.identifier))
        }
        for bundle in try installed.compactMap(\.previous) + registry.staged.all() {
            let others = try registry.versions.manifest(of: bundle).requirements.map(\.identifier)
            needs[bundle.identity.identifier, default: []].formUnion(others)
        }
        var open = needs.keys.filter { reasons[$0] != .required }
        var needed = Set(open)
        while let identifier = open.popLast() {
            for other in needs[identifier] ?? [] where needed.insert(other).inserted { open.append(other) }
        }
        return installed.map(\.active).filter { !needed.contains($0.identity.identifier) }
    }
}

extension ResolvedChange {
    /// The removed bundles.
    fileprivate var departures: [String] { steps.filter { $0.to == nil }.map(\.identifier) }
}
