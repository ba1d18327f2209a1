public import PluginCore

/// An interceptor that asks an action, as a guard in a manifest does.
///
/// The action answers `true`, `false` or an `Interception`, and may ask the user first. Requests that the action makes while it is asked,
/// such as opening a sign-in page, are not guarded in turn; otherwise a guard for everything could never allow a request. If the action
/// opens the very address that it is asked about, the address is allowed, because an action cannot require a sign-in before it shows the
/// sign-in page.
///
/// ```swift
/// try router.intercept(.everything, by: RouteGuard("Account.requireSignIn", mediator))
/// ```
public struct RouteGuard: RouteInterceptor {
    /// The action, as target and action.
    public let name: String
    private let mediator: any Mediating

    /// Creates a guard.
    ///
    /// - Parameters:
    ///   - name: The action, as `Target.action`.
    ///   - mediator: The mediator that performs the action.
    public init(_ name: String, _ mediator: any Mediating) {
        self.name = name
        self.mediator = mediator
    }

    /// Asks the action.
    ///
    /// - Throws: ``AtriumError`` with code `routeDenied` for a name that is not a `Target.action`, `resultType` for an answer of another
    ///   type, and the errors of performing the action.
    public func intercept(_ request: ResourceRequest) async throws -> Interception {
        guard let call else {
            throw AtriumError(.routeDenied, request.uri, reason: "notTargetAction", ["name": .text(name)])
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
        case let isAllowed as Bool: return isAllowed ? .allow : .deny("\(name) denied it")
        case let other:
            throw AtriumError(.resultType, name, reason: "interceptionExpected", ["found": "\(type(of: other))"])
        }
    }

    /// The target and the action, or nil if the name does not have this form.
    var call: (target: String, action: String)? {
        let parts = name.split(separator: ".", maxSplits: 1)
        return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }

    /// Returns whether the action failed because it opens the same address that it was asked about.
    ///
    /// If the action handles that error and returns an answer, its answer counts.
    private func isRefusedItself(_ error: any Error, on uri: ResourceURI) -> Bool {
        guard let refusal = error as? AtriumError, refusal.code == .routeCycle else { return false }
        return refusal.subject == uri.text && RequestChain.hasReturned(.call(name))
    }

    /// A Boolean value that indicates whether this request was caused by asking the action.
    var isBeingAsked: Bool { RequestChain.isUnderWay(.call(name)) }
}
