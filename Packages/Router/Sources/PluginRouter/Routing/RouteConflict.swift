import PluginCore

extension RouteMatch {
    /// The route of another bundle for the very same addresses; `nil` if there is none.
    ///
    /// Such an address belongs to neither: else the bundle that came later, or that `bundle.json` names, would take it from
    /// the other without a word.
    func conflictingMatch(among matches: [RouteMatch]) -> RouteMatch? {
        matches.first { $0.route.owner != route.owner && $0.expansion.canonicalKey == expansion.canonicalKey }
    }

    /// - Throws: ``AtriumError`` with code `routeConflict`, with both owners.
    func requireNoConflict(among matches: [RouteMatch]) throws(AtriumError) {
        guard let other = conflictingMatch(among: matches) else { return }
        throw .routeConflict(
            route.pattern, of: route.owner, with: other.route.pattern, of: other.route.owner, at: expansion)
    }
}

extension AtriumError {
    /// Two patterns with the same canonical key, with an address that both match.
    static func routeConflict(
        _ pattern: RoutePattern, of owner: String, with other: RoutePattern, of otherOwner: String,
        at expansion: RoutePattern.Expansion
    ) -> AtriumError {
        AtriumError(
            .routeConflict, pattern.text, detail: "\(owner) and \(otherOwner) (\"\(other.text)\") \(expansion.clash)")
    }
}
