package import PluginCore
import PluginRouter
import SQLite

/// The names that only one bundle can declare: routes, targets and services.
extension Registry {
    /// Checks that no other bundle has a declaration of a manifest.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict`, `targetConflict` or `serviceConflict`.
    package func requireFree(_ manifest: Manifest) throws(AtriumError) {
        let identifier = manifest.identity.identifier
        _ = try read { database in
            for declaration in manifest.routes {
                for expansion in try RoutePattern(declaration.pattern, converters: converters).expansions {
                    let holder = try Self.holder(of: expansion, besides: identifier, in: database)
                    if let holder {
                        throw AtriumError.routeTaken(declaration, of: identifier, by: holder, at: expansion)
                    }
                }
            }
            for target in manifest.targets {
                let holder = try Self.holder(ofTarget: target.name, besides: identifier, in: database)
                if let holder { throw AtriumError.taken(.targetConflict, target.name, of: identifier, by: holder) }
            }
            for service in manifest.services {
                let holder = try Self.holder(ofService: service, besides: identifier, in: database)
                if let holder { throw AtriumError.taken(.serviceConflict, service, of: identifier, by: holder) }
            }
        }
    }

    /// A bundle and its pattern that matches the same addresses as an expansion of another pattern.
    typealias RouteHolder = (owner: String, pattern: String)

    /// Returns the bundle with a route of the same canonical key as an expansion, apart from an excluded bundle.
    static func holder(
        of expansion: RoutePattern.Expansion, besides identifier: String? = nil, in database: Database
    ) throws -> RouteHolder? {
        try database.query(
            """
            SELECT route.owner, route.pattern FROM route_shape JOIN route ON number = route
            WHERE shape = ? AND owner IS NOT ?
            """, expansion.canonicalKey, identifier
        ) { (try $0[0, as: String.self], try $0[1, as: String.self]) }.first
    }

    /// Returns the bundle that provides a target.
    static func holder(
        ofTarget name: String, besides identifier: String? = nil, in database: Database
    ) throws -> String? {
        try database.value(
            "SELECT owner FROM target WHERE name = ? AND owner IS NOT ?", name, identifier, as: String.self)
    }

    /// Returns the bundle that provides a service.
    static func holder(
        ofService name: String, besides identifier: String? = nil, in database: Database
    ) throws -> String? {
        try database.value(
            "SELECT owner FROM service WHERE name = ? AND owner IS NOT ?", name, identifier, as: String.self)
    }
}

extension AtriumError {
    static func routeTaken(
        _ declaration: RouteDeclaration, of identifier: String, by holder: Registry.RouteHolder,
        at expansion: RoutePattern.Expansion
    ) -> AtriumError {
        let both = "\(identifier) and \(holder.owner) (\"\(holder.pattern)\")"
        return AtriumError(.routeConflict, declaration.pattern, detail: "\(both) \(expansion.clash)")
    }

    package static func taken(_ code: Code, _ name: String, of identifier: String, by holder: String) -> AtriumError {
        AtriumError(code, name, detail: "\(identifier) and \(holder) both provide it")
    }
}
