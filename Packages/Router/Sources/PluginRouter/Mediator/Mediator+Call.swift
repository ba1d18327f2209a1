import HostSystem
public import PluginCore

extension Mediator {
    /// Calls an action. The caller must already have registered the call with the lease.
    @inline(__always)
    func call(_ name: String, of target: BoundTarget, _ parameters: ActionParameters) async throws -> any Sendable {
        guard let action = target.actions[name] else {
            return try await answer(missing: name, of: target, parameters)
        }
        guard action.exposure.admits(origin, owner: target.lease.owner) else {
            throw AtriumError.exposureDenied(action.name, "actionExposure", action.exposure, to: origin)
        }
        // Recording a call in a chain makes it half as expensive again. So a call outside of any chain is not recorded until its bundle has
        // so many calls in flight that they may be calling each other. Guards are always recorded, so that requests that they make are not
        // guarded, and so are calls from outside, so that links that they open count as links from outside.
        if target.lease.calls <= 8, RequestChain.current == nil, !action.isGuard, !origin.isOutside,
            !Tracing.isOn
        {
            do {
                return try await action.body(parameters)
            } catch {
                throw target.lease.failure(error, in: action.name, chain: nil)
            }
        }
        return try await chained(action.name, by: .plugin(target.lease.owner)) {
            try await target.lease.naming(action.name) { try await action.body(parameters) }
        }
    }

    /// Handles a call of an action that the target doesn't have, through the target's or the host's closure for this case.
    private func answer(
        missing name: String, of target: BoundTarget, _ parameters: ActionParameters
    ) async throws -> any Sendable {
        try target.listing.admit(origin, to: name)
        let isDeclared = target.listing.actions.contains { $0.name == name }
        let unknown = AtriumError(
            .actionUnknown, "\(target.listing.name).\(name)",
            reason: isDeclared ? .declaredOnly(target.lease.owner) : nil,
            nearest: Nearest.words(to: name, in: target.actions.keys.sorted()).map { "\(target.listing.name).\($0)" })
        let call = UnansweredCall(target: target.listing.name, action: name, parameters: parameters, origin: origin)
        let own = target.notFound.map { notFound -> NotFound in
            { call in
                try await target.lease.naming("\(call.target).\(call.action)") {
                    try await notFound(call.action, call.parameters)
                }
            }
        }
        return try await answer(call, asking: own, notFound, otherwise: unknown)
    }

    /// Returns the answer of the first closure that has one. A closure without an answer throws the code of the given error.
    func answer(
        _ call: UnansweredCall, asking closures: NotFound?..., otherwise unknown: AtriumError
    ) async throws -> any Sendable {
        for notFound in closures.compactMap({ $0 }) {
            do {
                // The closure may call the same action again.
                return try await chained("\(call.target).\(call.action)") { try await notFound(call) }
            } catch let refusal as AtriumError where refusal.code == unknown.code {}
        }
        throw unknown
    }

    /// Runs a closure as the call of an action, which is recorded in the request chain.
    private func chained<R>(
        _ path: String, by owner: RequestOrigin? = nil, _ body: () async throws -> R
    ) async throws -> R {
        let chain = try RequestChain.pushing(.call(path), by: owner, for: origin, limit: ports.limits.chainDepth)
        return try await chain.run(body)
    }

    /// Performs the action of an address on behalf of the caller, with the same deadline as a route.
    ///
    /// The authority is the target, the only segment is the action, and the query contains the parameters. Of a repeated name, the first
    /// value is used.
    @discardableResult
    public func perform(_ uri: ResourceURI, _ parameters: ActionParameters) async throws -> any Sendable {
        try ports.limits.check(uri, from: origin)
        let segments = uri.segments
        guard uri.hasAuthority, segments.count == 2, let action = segments.last, !action.isEmpty else {
            throw AtriumError(.uriMalformed, uri, reason: "callForm")
        }
        await ports.bundles.catchUp()
        let target = try await targetName(spelled: segments[0])
        let all = ActionParameters(uri.parameters).merging(parameters)
        return try await ports.deadline().run(uri.text, of: target) {
            try await self.perform(action, on: target, all)
        }
    }

    /// Throws an error for an external call that is too large, however its parameters are passed.
    ///
    /// - Throws: ``AtriumError`` with code `requestTooLarge`.
    func check(_ action: String, of target: String, _ parameters: ActionParameters) throws(AtriumError) {
        let (name, limit) = ("\(target).\(action)", ports.limits.externalValueBytes)
        for part in [target, action] where part.utf8.count > limit {
            throw .tooLarge(name, "addressTooLong", part.utf8.count, limit)
        }
        try ports.limits.check(parameters, of: name, from: origin)
    }

    /// Returns the target for an authority. Target names are case-sensitive, but authorities are not.
    ///
    /// An exact match comes first, then the only target that differs just in case.
    private func targetName(spelled authority: String) async throws -> String {
        if ports.registrationStore.target(named: authority) != nil { return authority }
        if try await ports.bundles.target(named: authority) != nil { return authority }
        let meant = try await ports.bundles.targetNames().filter { $0.lowercased() == authority.lowercased() }
        return meant.count == 1 ? meant[0] : authority
    }
}
