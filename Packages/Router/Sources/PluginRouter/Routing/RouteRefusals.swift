import PluginCore

/// The reasons why no matching route accepted a request.
struct RouteRefusals {
    /// The owners of the routes that declined, in the order in which they were asked.
    var declined: [String] = []
    /// The routes that were not asked, because they are of another kind, or not exposed to the caller.
    var refused: [Route] = []

    /// Returns the error if matching routes exist but none was asked. Returns nil otherwise.
    func error(for query: RouteQuery) -> AtriumError? {
        guard declined.isEmpty else { return nil }
        let hidden = refused.filter { !$0.exposure.admits(query.origin, owner: $0.owner) }
        if let wanted = hidden.first(where: { query.kinds.contains($0.kind) }) {
            return .exposureDenied(query.uri.text, "routeExposure", wanted.exposure, to: query.origin)
        }
        if hidden.count < refused.count { return .otherKind(query) }
        // The kind of a route that is not exposed to the caller must not be revealed.
        return hidden.first.map { .exposureDenied(query.uri.text, "routeExposure", $0.exposure, to: query.origin) }
    }
}

extension AtriumError {
    /// Returns the error for an address whose route is of another kind.
    static func otherKind(_ query: RouteQuery) -> Self {
        let reason =
            switch query.kinds {
            case RouteQuery.opened: ErrorReason("addressOfObject")
            case RouteQuery.shown: ErrorReason("addressOfNoPage")
            default: ErrorReason("addressOfNoObject")
            }
        return Self(.routeKind, query.uri.text, reason: reason)
    }
}

/// Suggestions for an unknown address.
enum AddressSuggestion {
    /// The maximum length of an address for which there are suggestions, in Unicode scalars.
    ///
    /// It equals the limit of ``Nearest``.
    private static let longestAddress = 256

    /// Returns the addresses nearest to an unknown address, created from patterns with its segments as captures.
    ///
    /// There are none for an address that is too long to be mistyped.
    static func nearest(to uri: ResourceURI, in patterns: [String], converters: RouteConverters) -> [String] {
        let (scheme, segments) = (uri.scheme, uri.segments)
        let written = spell(scheme, segments)
        // Each pattern could repeat the whole address, so its length must be limited.
        guard written.unicodeScalars.count <= longestAddress else { return [] }
        let candidates = patterns.compactMap { try? RoutePattern($0, converters: converters) }.flatMap { pattern in
            // A pattern with many groups must not hide the others.
            pattern.expansions.prefix(8).map { address(of: $0, scheme: pattern.scheme ?? scheme, like: segments) }
        }
        var seen: Set<String> = []
        return Nearest.words(to: written, in: candidates.filter { seen.insert($0).inserted && $0 != written })
    }

    private static func address(
        of expansion: RoutePattern.Expansion, scheme: String?, like address: [String]
    ) -> String {
        var segments: [String] = []
        for (index, segment) in expansion.path.enumerated() {
            let written = index < address.count ? address[index] : nil
            switch segment {
            case .literal(let text): segments.append(text)
            case .rest: segments += address.dropFirst(index)
            case .partial, .typed:
                let fits = written.map { segment.matches($0, isAuthority: false) } ?? false
                segments.append((fits ? written : segment.example) ?? "")
            case .capture(let name): segments.append(written ?? ":" + name)
            case .any: segments.append(written ?? "*")
            }
        }
        let fragment = expansion.fragment.map { "#" + $0.compactMap(\.example).joined(separator: "/") } ?? ""
        return spell(scheme, segments) + fragment
    }

    private static func spell(_ scheme: String?, _ segments: [String]) -> String {
        (scheme.map { $0 + "://" } ?? "") + segments.joined(separator: "/")
    }
}
