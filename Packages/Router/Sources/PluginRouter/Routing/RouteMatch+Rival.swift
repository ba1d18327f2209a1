import PluginCore

extension RouteMatch {
    /// Another bundle's route for the very same addresses. An address that two have is nobody's: whoever came later, or stands
    /// in `bundle.json`, would take it from the other without a word.
    func rival(among matches: [RouteMatch]) -> RouteMatch? {
        matches.first { $0.route.owner != route.owner && $0.form.shape == form.shape }
    }

    /// - Throws: ``AtriumError`` with code `routeConflict`, with both owners.
    func requireNoRival(among matches: [RouteMatch]) throws(AtriumError) {
        guard let rival = rival(among: matches) else { return }
        throw .routeConflict(
            route.pattern, of: route.owner, with: rival.route.pattern, of: rival.route.owner, at: form)
    }
}
