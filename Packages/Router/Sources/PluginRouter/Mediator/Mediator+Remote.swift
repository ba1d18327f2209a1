import PluginCore

extension Mediator {
    /// Performs the action of an address, with the same deadline as a route.
    ///
    /// The authority is the target, the only segment is the action, and the query contains the parameters. Of a repeated name, the first
    /// value is used.
    func perform(
        _ uri: ResourceURI, _ parameters: ActionParameters, for caller: Caller
    ) async throws -> any Sendable {
        try limits.check(uri, from: caller.origin)
        let segments = uri.segments
        guard uri.hasAuthority, segments.count == 2, let action = segments.last, !action.isEmpty else {
            throw AtriumError(.uriMalformed, uri.text, reason: "callForm")
        }
        var texts: [String: any Sendable] = [:]
        for item in uri.parameters.items where texts[item.name] == nil { texts[item.name] = item.value }
        await bundles.catchUp()
        let target = try await targetName(spelled: segments[0])
        let all = ActionParameters(texts).merging(parameters)
        return try await Deadline(limits.handlerDeadline, clock: clock).run(uri.text, of: target) {
            try await self.perform(action, on: target, all, for: caller)
        }
    }

    /// Throws an error for an external call that is too large, however its parameters are passed.
    ///
    /// - Throws: ``AtriumError`` with code `requestTooLarge`.
    func check(
        _ action: String, of target: String, _ parameters: ActionParameters, from origin: RequestOrigin
    ) throws(AtriumError) {
        let (name, limit) = ("\(target).\(action)", limits.externalValueBytes)
        for part in [target, action] where part.utf8.count > limit {
            throw .tooLarge(name, "bytes of a name", part.utf8.count, limit)
        }
        try limits.check(parameters, of: name, from: origin)
    }

    /// Returns the target for an authority. Target names are case-sensitive, but authorities are not.
    ///
    /// An exact match comes first, then the only target that differs just in case.
    private func targetName(spelled authority: String) async throws -> String {
        if registrationStore.target(named: authority) != nil { return authority }
        if try await bundles.target(named: authority) != nil { return authority }
        let meant = try await bundles.targetNames().filter { $0.lowercased() == authority.lowercased() }
        return meant.count == 1 ? meant[0] : authority
    }
}
