import PluginCore
import Tracing

extension Mediator {
    /// The number of calls in flight into one bundle up to which calls are not recorded in a request chain.
    private static var unwritten: Int { 8 }

    /// Performs an action of a target. A cached target needs no directory lookup.
    @inline(__always)
    func perform(
        _ action: String, on target: String, _ parameters: ActionParameters, for caller: Caller
    ) async throws -> any Sendable {
        try caller.lease?.requireOpen()
        if caller.origin == .external { try check(action, of: target, parameters, from: caller.origin) }
        guard let bound = ports.registrationStore.target(named: target), bound.lease.begin() else {
            return try await performLookedUp(action, on: target, parameters, for: caller)
        }
        defer { bound.lease.end() }
        return try await call(action, of: bound, parameters, for: caller)
    }

    /// Calls an action. The caller must already have registered the call with the lease.
    @inline(__always)
    func call(
        _ name: String, of target: BoundTarget, _ parameters: ActionParameters, for caller: Caller
    ) async throws -> any Sendable {
        guard let action = target.actions[name] else {
            return try await answer(missing: name, of: target, parameters, for: caller)
        }
        guard action.exposure.admits(caller.origin, owner: target.lease.owner) else {
            throw AtriumError.exposureDenied(action.name, action.exposure, to: caller.origin)
        }
        // Recording a call in a chain makes it half as expensive again. So a call outside of any chain is not recorded until its bundle has
        // so many calls in flight that they may be calling each other. Guards are always recorded, so that requests that they make are not
        // guarded, and so are calls from outside, so that links that they open count as links from outside.
        if target.lease.calls <= Self.unwritten, RequestChain.current == nil, !action.isGuard, !caller.origin.isOutside,
            !Tracing.isOn
        {
            do {
                return try await action.body(parameters)
            } catch {
                throw target.lease.failure(error, in: action.name, chain: nil)
            }
        }
        try PausableStopwatch.requireTime()
        let chain = try RequestChain.pushing(
            .call(action.name), by: .plugin(target.lease.owner), for: caller.origin, limit: ports.limits.chainDepth)
        return try await chain.run {
            try await target.lease.naming(action.name) { try await action.body(parameters) }
        }
    }

    /// Handles a call of an action that the target doesn't have, through the target's or the host's closure for this case.
    private func answer(
        missing name: String, of target: BoundTarget, _ parameters: ActionParameters, for caller: Caller
    ) async throws -> any Sendable {
        try target.listing.admit(caller.origin, to: name)
        let isDeclared = target.listing.actions.contains { $0.name == name }
        let unknown = AtriumError(
            .actionUnknown, "\(target.name).\(name)",
            reason: isDeclared ? .declaredOnly(target.lease.owner) : nil,
            nearest: Nearest.words(to: name, in: target.actions.keys.sorted()).map { "\(target.name).\($0)" }
        )
        let call = UnansweredCall(target: target.name, action: name, parameters: parameters, origin: caller.origin)
        var asked: [NotFound] = []
        if let notFound = target.notFound {
            asked.append { call in
                try await target.lease.naming("\(call.target).\(call.action)") {
                    try await notFound(call.action, call.parameters)
                }
            }
        }
        if let notFound { asked.append(notFound) }
        return try await answer(call, asking: asked, otherwise: unknown)
    }

    /// Returns the answer of the first closure that has one. A closure without an answer throws the code of the given error.
    func answer(
        _ call: UnansweredCall, asking: [NotFound], otherwise unknown: AtriumError
    ) async throws -> any Sendable {
        if asking.isEmpty { throw unknown }
        try PausableStopwatch.requireTime()
        // The closure may call the same action again.
        let chain = try RequestChain.pushing(
            .call("\(call.target).\(call.action)"), for: call.origin, limit: ports.limits.chainDepth)
        return try await chain.run {
            for notFound in asking {
                do {
                    return try await notFound(call)
                } catch {
                    guard let refusal = error as? AtriumError, refusal.code == unknown.code else { throw error }
                }
            }
            throw unknown
        }
    }

    /// Performs the action of an address, with the same deadline as a route.
    ///
    /// The authority is the target, the only segment is the action, and the query contains the parameters. Of a repeated name, the first
    /// value is used.
    func perform(
        _ uri: ResourceURI, _ parameters: ActionParameters, for caller: Caller
    ) async throws -> any Sendable {
        try ports.limits.check(uri, from: caller.origin)
        let segments = uri.segments
        guard uri.hasAuthority, segments.count == 2, let action = segments.last, !action.isEmpty else {
            throw AtriumError(.uriMalformed, uri.text, reason: "callForm")
        }
        var texts: [String: any Sendable] = [:]
        for item in uri.parameters.items where texts[item.name] == nil { texts[item.name] = item.value }
        await ports.bundles.catchUp()
        let target = try await targetName(spelled: segments[0])
        let all = ActionParameters(texts).merging(parameters)
        return try await ports.deadline().run(uri.text, of: target) {
            try await self.perform(action, on: target, all, for: caller)
        }
    }

    /// Throws an error for an external call that is too large, however its parameters are passed.
    ///
    /// - Throws: ``AtriumError`` with code `requestTooLarge`.
    func check(
        _ action: String, of target: String, _ parameters: ActionParameters, from origin: RequestOrigin
    ) throws(AtriumError) {
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
