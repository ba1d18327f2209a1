import PluginCore

extension RouteMatch {
    /// Returns a conflicting route: a route of another bundle that matches the same addresses.
    ///
    /// Opening such an address is an error. Otherwise a bundle that is installed later, or a rule in `bundle.json`, could silently take
    /// over the address.
    func rival(among matches: [RouteMatch]) -> RouteMatch? {
        matches.first { $0.route.owner != route.owner && $0.form.shape == form.shape }
    }

    /// Throws an error if there is a conflicting route.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict`, which names both owners.
    func requireNoRival(among matches: [RouteMatch]) throws(AtriumError) {
        guard let rival = rival(among: matches) else { return }
        throw .routeConflict(
            route.pattern, of: route.owner, with: rival.route.pattern, of: rival.route.owner, at: form)
    }
}
