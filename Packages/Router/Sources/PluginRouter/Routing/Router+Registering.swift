import PluginCore

extension Router {
    func register(_ route: Route, under lease: Lease) async throws {
        try lease.requireOpen()
        for other in try await directory.routes(withFirstSegments: route.pattern.firstSegments) {
            let canonicalKeys = Set(other.pattern.canonicalKeys)
            guard let expansion = route.pattern.expansions.first(where: { canonicalKeys.contains($0.canonicalKey) })
            else { continue }
            throw AtriumError.routeConflict(
                route.pattern, of: route.owner, with: other.pattern, of: other.owner, at: expansion
            )
        }
        try registrationStore.update(under: lease) { registrations throws(AtriumError) in
            try registrations.routes.insert(route, under: lease)
        }
    }

    func unregister(_ pattern: RoutePattern, under lease: Lease) {
        // A revoked lease has no registrations anymore.
        try? registrationStore.update(under: lease) { $0.routes.remove(pattern, under: lease) }
    }
}
