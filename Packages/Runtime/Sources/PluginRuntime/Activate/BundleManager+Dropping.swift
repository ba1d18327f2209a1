import PluginCore

/// Staged versions in the way of a removal, or gone with it.
extension BundleManager {
    /// What goes when bundles are removed.
    struct Removal: Sendable {
        /// What goes with all its versions, before that which it needed.
        var identifiers: [String] = []
        /// What is staged and goes alone: nothing of the bundle is active, or what is active can stay.
        var staged: [PluginBundle] = []
    }

    /// What goes when wishes to remove bundles come true: of what is active, and of what would be when a host starts next.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, or `bundleNeeded` with those who are in the way.
    nonisolated func removal(by wishes: [Wish]) throws(AtriumError) -> Removal {
        let offers = CatalogOffers(catalog: catalog, registry: registry)
        let staged = try registry.staged()
        var removal = Removal()
        var active: [Wish] = []
        for wish in wishes {
            let isStagedAlone = try registry.active(wish.identifier) == nil
            if !isStagedAlone || !staged.contains(where: { $0.identity.identifier == wish.identifier }) {
                active.append(wish)
            }
        }
        removal.identifiers = try Resolver(sandbox: RegistrySandbox(registry: registry), offers: offers)
            .plan(active).departures
        if staged.isEmpty { return removal }
        do throws(AtriumError) {
            let next = try Resolver(sandbox: StagedSandbox(registry: registry), offers: offers).plan(wishes).departures
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
    /// Which bundles go.
    fileprivate var departures: [String] { steps.filter { $0.to == nil }.map(\.identifier) }
}
