public import PluginCore
internal import PluginRouter

extension Manifest {
    /// Returns the routes that match an address in the order in which a router tries them, each with its request.
    ///
    /// - Throws: ``AtriumError`` with code `uriMalformed`, `patternMalformed` or `routeConflict`.
    func requests(
        at address: String, userInfo: ActionParameters = [:]
    ) throws(AtriumError) -> [(route: RouteDeclaration, request: ResourceRequest)] {
        let uri = try ResourceURI(address)
        let list = try RouteList(
            withoutConflicts: routes.map { route throws(AtriumError) in
                try Route(route, owner: identity.identifier.text)
            })
        return list.matches(for: uri).compactMap { match in
            zip(list.routes, routes).first { $0.0 === match.route }.map { _, route in
                (route, ResourceRequest(uri: uri, name: route.name, match.captures(from: uri), userInfo: userInfo))
            }
        }
    }
}

extension RouteDeclaration {
    /// Returns the request that a router creates for an address, or nil if the pattern does not match it.
    ///
    /// - Throws: ``AtriumError`` with code `uriMalformed` or `patternMalformed`.
    func request(at address: String) throws(AtriumError) -> ResourceRequest? {
        let uri = try ResourceURI(address)
        return try RoutePattern(pattern).captures(from: uri).map { ResourceRequest(uri: uri, name: name, $0) }
    }

    /// Returns an address that the pattern matches, with the given scheme if the pattern has none.
    ///
    /// - Throws: ``AtriumError`` with code `patternMalformed`.
    public func example(scheme: String) throws(AtriumError) -> String {
        let form = try RoutePattern(pattern).expansions[0]
        return form.scheme == nil ? "\(scheme)://\(form.example)" : form.example
    }
}

extension ResourceRequest {
    fileprivate init(uri: ResourceURI, name: String, _ captures: RouteCaptures, userInfo: ActionParameters = [:]) {
        self.init(
            uri: captures.takesFragment ? uri.addingFragmentParameters() : uri, name: name, captures: captures.values,
            rest: captures.rest?.segments ?? [], userInfo: userInfo
        )
    }
}
