public import PluginCore

/// An action that the host puts before routes, as a manifest puts its guards: it answers `true`, `false` or an
/// `Interception`, and may take a user's time to do so.
///
/// A request that the action itself makes while it is asked, such as one for a sign-in page, is not asked about in turn:
/// else one that stands before everything could never be passed. Nor does the address that it is asked about wait for it when
/// that is the one that its action opens: it cannot ask the user to sign in before the page for signing in.
///
/// ```swift
/// try router.intercept(.everything, by: RouteGuard("Account.requireSignIn", mediator))
/// ```
public struct RouteGuard: RouteInterceptor {
    /// The action, as `Target.action`.
    public let name: String
    private let mediator: any Mediating

    /// A guard of that name.
    ///
    /// - Parameter mediator: performs the action.
    public init(_ name: String, _ mediator: any Mediating) {
        self.name = name
        self.mediator = mediator
    }

    /// Asks the action.
    ///
    /// - Throws: ``AtriumError`` with code `routeDenied` for a name that is no `Target.action`, `resultType` for an answer
    ///   that is none, and what performing the action throws.
    public func intercept(_ request: ResourceRequest) async throws -> Interception {
        guard let call else {
            throw AtriumError(.routeDenied, request.uri.text, detail: "\"\(name)\" is no Target.action")
        }
        let parameters = ActionParameters(["uri": request.uri.text]).merging(ActionParameters(request.captures))
        let answer: any Sendable
        do {
            answer = try await mediator.perform(call.action, on: call.target, parameters)
        } catch {
            guard isRefusedItself(error, on: request.uri) else { throw error }
            return .allow
        }
        switch answer {
        case let interception as Interception: return interception
        case let isAllowed as Bool: return isAllowed ? .allow : .deny("\(name) said no")
        case let other:
            throw AtriumError(.resultType, name, detail: "Bool or Interception is needed, not \(type(of: other))")
        }
    }

    /// The action, in parts; `nil` when the name is no `Target.action`.
    var call: (target: String, action: String)? {
        let parts = name.split(separator: ".", maxSplits: 1)
        return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }

    /// Returns whether the action has failed because it opens the very address that it was asked about. What it says in spite of that
    /// is its answer.
    private func isRefusedItself(_ error: any Error, on uri: ResourceURI) -> Bool {
        guard let refusal = error as? AtriumError, refusal.code == .routeCycle else { return false }
        return refusal.subject == uri.text && RequestChain.hasReturned(.call(name))
    }

    /// A Boolean value that indicates whether the action is being asked by what led to the request.
    var isBeingAsked: Bool { RequestChain.isUnderWay(.call(name)) }
}
