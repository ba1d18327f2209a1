import PluginCore

/// The host's fallbacks for addresses that no route handles.
struct FallbackTable: Sendable {
    private var patterns: [RoutePattern] = []
    /// The fallbacks of the patterns, in the same order.
    private var actions: [FallbackAction] = []
    private var index = PatternIndex([])
    private var schemes: [String: FallbackAction] = [:]
    private var everything: FallbackAction?

    /// Sets a fallback and replaces the one for the same addresses.
    mutating func set(_ action: FallbackAction, for pattern: RoutePattern) {
        if let earlier = patterns.firstIndex(where: { $0.canonicalKeys == pattern.canonicalKeys }) {
            patterns.remove(at: earlier)
            actions.remove(at: earlier)
        }
        patterns.append(pattern)
        actions.append(action)
        index = PatternIndex(patterns)
    }

    mutating func set(_ action: FallbackAction, forScheme scheme: String) {
        schemes[scheme.lowercased()] = action
    }

    mutating func set(_ action: FallbackAction) {
        everything = action
    }

    /// Returns the fallbacks for an address in order: the most specific pattern first, then the scheme, then the general one.
    func fallbacks(for uri: ResourceURI) -> [(action: FallbackAction, captures: RouteCaptures?)] {
        let specific = index.matches(for: uri).sorted { one, other in
            RoutePattern.Expansion.order(
                index.expansion(of: one), index.expansion(of: other), ignoringCase: uri.hasAuthority) < 0
        }
        let general = [uri.linkScheme.flatMap { schemes[$0] }, everything].compactMap { $0 }
        return specific.map { (actions[$0.index], RouteCaptures(uri, $0, of: index)) } + general.map { ($0, nil) }
    }
}
