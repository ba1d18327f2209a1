import PluginCore

/// What the host does with addresses that nobody serves: a value that a writer replaces.
struct FallbackTable: Sendable {
    private struct ForPattern {
        let pattern: RoutePattern
        let action: FallbackAction
    }

    private var patterns: [ForPattern] = []
    private var schemes: [String: FallbackAction] = [:]
    private var everything: FallbackAction?

    /// Sets what is done; what was set for the same addresses before is replaced.
    mutating func set(_ action: FallbackAction, for pattern: RoutePattern) {
        patterns.removeAll { $0.pattern.shapes == pattern.shapes }
        patterns.append(ForPattern(pattern: pattern, action: action))
    }

    mutating func set(_ action: FallbackAction, forScheme scheme: String) {
        schemes[scheme.lowercased()] = action
    }

    mutating func set(_ action: FallbackAction) {
        everything = action
    }

    /// What is tried for an address, in order: the most specific pattern first, then its scheme, then what is for all.
    func fallbacks(for uri: ResourceURI) -> [(action: FallbackAction, captures: RouteCaptures)] {
        let matching = patterns.compactMap { entry in
            entry.pattern.form(matching: uri).map { (action: entry.action, form: $0) }
        }
        let specific = matching.sorted { one, other in
            RoutePattern.Form.order(one.form, other.form, ignoringCase: uri.hasAuthority) < 0
        }
        let general = [uri.scheme.flatMap { schemes[$0] }, everything].compactMap { $0 }
        return specific.map { ($0.action, $0.form.captures(from: uri)) } + general.map { ($0, RouteCaptures()) }
    }
}
