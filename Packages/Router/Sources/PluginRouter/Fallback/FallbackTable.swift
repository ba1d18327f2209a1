import PluginCore

/// The host's fallbacks for addresses that no route handles.
struct FallbackTable: Sendable {
    private struct ForPattern {
        let pattern: RoutePattern
        let action: FallbackAction
    }

    private var patterns: [ForPattern] = []
    private var schemes: [String: FallbackAction] = [:]
    private var everything: FallbackAction?

    /// Sets a fallback and replaces the one for the same addresses.
    mutating func set(_ action: FallbackAction, for pattern: RoutePattern) {
        patterns.removeAll { $0.pattern.canonicalKeys == pattern.canonicalKeys }
        patterns.append(ForPattern(pattern: pattern, action: action))
    }

    mutating func set(_ action: FallbackAction, forScheme scheme: String) {
        schemes[scheme.lowercased()] = action
    }

    mutating func set(_ action: FallbackAction) {
        everything = action
    }

    /// Returns the fallbacks for an address in order: the most specific pattern first, then the scheme, then the general one.
    func fallbacks(for uri: ResourceURI) -> [(action: FallbackAction, captures: RouteCaptures?)] {
        let matching = patterns.compactMap { entry in
            entry.pattern.captures(from: uri).map { (action: entry.action, captures: $0) }
        }
        let specific = matching.sorted { one, other in
            RoutePattern.Expansion.order(
                one.captures.expansion, other.captures.expansion, ignoringCase: uri.hasAuthority) < 0
        }
        let general = [uri.linkScheme.flatMap { schemes[$0] }, everything].compactMap { $0 }
        return specific.map { ($0.action, $0.captures) } + general.map { ($0, nil) }
    }
}
