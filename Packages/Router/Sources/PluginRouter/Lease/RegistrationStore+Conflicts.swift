public import PluginCore

extension RegistrationStore {
    /// Throws an error if a route of a manifest conflicts with a route of the app or of the host's code.
    ///
    /// Conflicts between manifests are checked elsewhere, and a route that a bundle's code has registered comes after another bundle's
    /// manifest. This must be called before a version becomes active.
    ///
    /// - Parameters:
    ///   - manifest: The manifest. Routes of its own bundle are ignored.
    ///   - rules: The app's own routes, such as the rules of `bundle.json`.
    ///   - converters: The types of captures.
    /// - Throws: ``AtriumError`` with code `routeConflict`, which names both owners and an address, or `patternMalformed`.
    public func requireFree(
        _ manifest: Manifest, besides rules: [Route] = [], converters: RouteConverters = .standard
    ) throws(AtriumError) {
        let owner = manifest.identity.identifier.text
        var taken: [String: Route] = [:]
        let hosts = load().routes.routes.filter { $0.lease?.bundle == nil }
        for route in rules + hosts where route.owner != owner {
            for canonicalKey in route.pattern.canonicalKeys { taken[canonicalKey] = taken[canonicalKey] ?? route }
        }
        if taken.isEmpty { return }
        for declaration in manifest.routes {
            let pattern = try RoutePattern(declaration.pattern, converters: converters)
            for expansion in pattern.expansions {
                guard let other = taken[expansion.canonicalKey] else { continue }
                throw .routeConflict(pattern, of: owner, with: other.pattern, of: other.owner, at: expansion)
            }
        }
    }
}
