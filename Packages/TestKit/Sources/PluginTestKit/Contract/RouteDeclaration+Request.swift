internal import PluginCore

extension RouteDeclaration {
    /// The request that a router would make of an address, or `nil` when the pattern does not take it.
    ///
    /// - Throws: ``AtriumError`` with code `uriMalformed`.
    func request(at address: String, userInfo: ActionParameters = [:]) throws(AtriumError) -> ResourceRequest? {
        let uri = try ResourceURI(address)
        let parts = try ResourceURI(pattern).segments
        guard parts.count == uri.segments.count else { return nil }
        var captures: [String: String] = [:]
        for (part, segment) in zip(parts, uri.segments) {
            if part.hasPrefix(":") {
                captures[String(part.dropFirst())] = segment
            } else if part != segment {
                return nil
            }
        }
        return ResourceRequest(uri: uri, name: name, captures: captures, userInfo: userInfo)
    }
}
