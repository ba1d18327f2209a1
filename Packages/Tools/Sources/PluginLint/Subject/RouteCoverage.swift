import PluginCore
import PluginRouter

/// Decides whether routes match all addresses that another one matches.
enum RouteCoverage {
    /// Returns the routes of manifests. Those whose patterns cannot be read are left out.
    static func list(of manifests: [Manifest]) -> RouteList {
        RouteList(manifests.flatMap { manifest in manifest.routes.compactMap { route($0, of: manifest) } })
    }

    /// Returns a route with the converters of any host.
    static func route(_ declaration: RouteDeclaration, of manifest: Manifest) -> Route? {
        var converters = RouteConverters.standard
        for piece in declaration.pattern.split(separator: "<").dropFirst() {
            let name = String(piece.prefix { $0 != ">" })
            // Only a host knows the texts that its converter accepts.
            if converters[name] == nil { converters.register(RouteConverter(name, example: "1") { _ in true }) }
        }
        return try? Route(declaration, owner: manifest.identity.identifier.text, converters: converters)
    }

    /// Returns whether an expansion matches all addresses that another one matches.
    static func covers(_ one: RoutePattern.Expansion, _ other: RoutePattern.Expansion) -> Bool {
        if one.canonicalKey == other.canonicalKey { return true }
        guard one.scheme == nil || one.scheme == other.scheme, covers(one.path[...], other.path[...]) else {
            return false
        }
        guard let fragment = one.fragment else { return true }
        return other.fragment.map { covers(fragment[...], $0[...]) } ?? false
    }

    private static func covers(
        _ one: ArraySlice<RoutePattern.Segment>, _ other: ArraySlice<RoutePattern.Segment>
    ) -> Bool {
        switch (one.first, other.first) {
        case (.rest, _): true
        case (nil, nil): true
        case (nil, _), (_, nil), (_, .rest): false
        case (let mine?, let theirs?): covers(mine, theirs) && covers(one.dropFirst(), other.dropFirst())
        }
    }

    private static func covers(_ one: RoutePattern.Segment, _ other: RoutePattern.Segment) -> Bool {
        switch (one, other) {
        // No segment that is captured is empty, and an empty literal never matches.
        case (.capture, _), (.any, _): true
        case (.typed(_, let mine), .typed(_, let theirs)): mine.name == theirs.name || mine.name == "string"
        case (.typed(_, let mine), _): mine.name == "string"
        case (.partial(let mine), .partial(let theirs)): mine.literals == theirs.literals
        default: one == other
        }
    }
}
