internal import PluginCore
internal import PluginRouter

extension Manifest {
    /// The routes that take an address, in the order in which a router asks them, each with the request it would get.
    ///
    /// - Throws: ``AtriumError`` with code `uriMalformed`, or `patternMalformed` or `routeConflict` when the routes cannot be.
    func requests(
        at address: String, userInfo: ActionParameters = [:]
    ) throws(AtriumError) -> [(route: RouteDeclaration, request: ResourceRequest)] {
        let uri = try ResourceURI(address)
        var builder = RouteTableBuilder<RouteDeclaration>()
        for route in routes {
            let pattern = try RoutePattern(route.pattern)
            try builder.add(pattern, owner: identity.identifier, priority: route.priority, value: route)
        }
        return builder.build().all(for: uri).map { match in
            (match.value, ResourceRequest(uri: uri, name: match.value.name, match.captures, userInfo: userInfo))
        }
    }
}

extension RouteDeclaration {
    /// The request that a router would make of an address, or `nil` when the pattern does not take it.
    ///
    /// - Throws: ``AtriumError`` with code `uriMalformed` or `patternMalformed`.
    func request(at address: String) throws(AtriumError) -> ResourceRequest? {
        let uri = try ResourceURI(address)
        return try RoutePattern(pattern).captures(from: uri).map { ResourceRequest(uri: uri, name: name, $0) }
    }

    /// An address that its pattern takes, of a scheme when the pattern has none.
    ///
    /// - Throws: ``AtriumError`` with code `patternMalformed`.
    func example(scheme: String) throws(AtriumError) -> String {
        let form = try RoutePattern(pattern).forms[0]
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
