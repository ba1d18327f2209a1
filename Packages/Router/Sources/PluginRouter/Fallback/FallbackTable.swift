import PluginCore

/// The host's fallbacks for addresses that no route handles.
struct FallbackTable: Sendable {
    private var fallbacks: [(pattern: RoutePattern, action: FallbackAction)] = []
    private var schemes: [String: FallbackAction] = [:]
    private var everything: FallbackAction?

    /// Sets a fallback and replaces the one for the same addresses.
    mutating func set(_ action: FallbackAction, for pattern: RoutePattern) {
        fallbacks.removeAll { $0.pattern.canonicalKeys == pattern.canonicalKeys }
        fallbacks.append((pattern, action))
    }

    mutating func set(_ action: FallbackAction, forScheme scheme: String) {
        schemes[scheme.lowercased()] = action
    }

    mutating func set(_ action: FallbackAction) {
        everything = action
    }

    /// Returns the fallbacks for an address in order: the most specific pattern first, then the scheme, then the general one.
    func fallbacks(for uri: ResourceURI) -> [(action: FallbackAction, captures: RouteCaptures?)] {
        let specific = fallbacks.compactMap { pattern, action in
            pattern.expansion(matching: uri).map { (expansion: $0, action: action) }
        }
        .sorted { RoutePattern.Expansion.order($0.expansion, $1.expansion, ignoringCase: uri.hasAuthority) < 0 }
        let general = [uri.linkScheme.flatMap { schemes[$0] }, everything].compactMap { $0 }
        return specific.map { ($0.action, RouteCaptures(uri, $0.expansion)) } + general.map { ($0, nil) }
    }
}
