import PluginCore

extension Router {
    func register(_ route: Route, under lease: Lease) async throws {
        try lease.requireOpen()
        for other in try await directory.routes(withHeads: route.pattern.heads) {
            let shapes = Set(other.pattern.shapes)
            guard let form = route.pattern.forms.first(where: { shapes.contains($0.shape) }) else { continue }
            throw AtriumError.routeConflict(
                route.pattern, of: route.owner, with: other.pattern, of: other.owner, at: form
            )
        }
        try board.update(under: lease) { registrations throws(AtriumError) in
            try registrations.routes.insert(route, under: lease)
        }
    }

    func unregister(_ pattern: RoutePattern, under lease: Lease) {
        // A revoked lease has no registrations anymore.
        try? board.update(under: lease) { $0.routes.remove(pattern, under: lease) }
    }
}
