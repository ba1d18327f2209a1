public import PluginCore

extension LeaseBoard {
    /// Returns whether somebody else has a route that a manifest declares, and that is in no registry: code that has registered it, or
    /// the app. Whoever makes a version active asks before.
    ///
    /// - Parameters:
    ///   - manifest: the manifest; what its own bundle has does not count.
    ///   - rules: the app's own routes, such as the rules of `bundle.json`.
    ///   - converters: the types that captures can ask for.
    /// - Throws: ``AtriumError`` with code `routeConflict`, with both owners and an address; `patternMalformed`.
    public func requireFree(
        _ manifest: Manifest, besides rules: [Route] = [], converters: RouteConverters = .standard
    ) throws(AtriumError) {
        let owner = manifest.identity.identifier
        var taken: [String: Route] = [:]
        for route in rules + load().routes.routes where route.owner != owner {
            for shape in route.pattern.shapes { taken[shape] = taken[shape] ?? route }
        }
        if taken.isEmpty { return }
        for declaration in manifest.routes {
            let pattern = try RoutePattern(declaration.pattern, converters: converters)
            for form in pattern.forms {
                guard let other = taken[form.shape] else { continue }
                throw .routeConflict(pattern, of: owner, with: other.pattern, of: other.owner, at: form)
            }
        }
    }
}
