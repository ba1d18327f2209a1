public import PluginCore

/// The mediator: finds the bundle of a target, loads it on first use, and caches the target under the bundle's lease.
///
/// Calls through the host's mediator are calls of the host. Bundles get a mediator that calls on their behalf (``leased(to:)``), and the host
/// chooses the caller for others (``mediator(for:)``):
///
/// ```swift
/// try await mediator.mediator(for: .external).perform(ResourceURI("app://Shop/price?id=42"), [:])
/// ```
public struct Mediator: Mediating, HostReference {
    let ports: RouterPorts
    /// The targets of the host by name.
    let hostTargets: [String: ActionTarget]
    let notFound: NotFound?
    /// The caller. Only the host creates mediators, so plugin code cannot choose it.
    private(set) var origin = RequestOrigin.host
    /// The lease of the calling bundle, or nil for callers that are not loaded bundles.
    private var lease: Lease?

    /// A closure that handles a call that no bundle handles, or throws.
    public typealias NotFound = @Sendable (UnansweredCall) async throws -> any Sendable

    /// Creates the mediator of a host.
    ///
    /// - Parameters:
    ///   - ports: What the host provides.
    ///   - hostTargets: The targets of the host, which any plugin may call. They take precedence over those of bundles.
    ///   - notFound: Handles calls of unknown targets and actions that the target itself does not handle, or `nil`. For a call that it
    ///     cannot handle either, it throws `targetUnknown` or `actionUnknown`.
    public init(_ ports: RouterPorts, hostTargets: [ActionTarget] = [], notFound: NotFound? = nil) {
        self.ports = ports
        self.hostTargets = Dictionary(hostTargets.map { ($0.name, $0) }) { _, last in last }
        self.notFound = notFound
    }

    /// Returns the mediator for one bundle. The bundle is the caller, whatever parameters are passed.
    public func leased(to lease: Lease) -> any Mediating {
        var mediator = self
        (mediator.origin, mediator.lease) = (.plugin(lease.owner), lease)
        return mediator
    }

    /// Returns the mediator for calls that the host forwards for other callers: an external link or an extension.
    public func mediator(for origin: RequestOrigin) -> any Mediating {
        var mediator = self
        (mediator.origin, mediator.lease) = (origin, nil)
        return mediator
    }

    /// Performs an action on behalf of the caller. A cached target needs no directory lookup.
    @discardableResult
    public func perform(
        _ action: String, on target: String, _ parameters: ActionParameters
    ) async throws -> any Sendable {
        try lease?.requireOpen()
        if origin == .external { try check(action, of: target, parameters) }
        guard let bound = ports.registrationStore.target(named: target), bound.lease.begin() else {
            return try await performLookedUp(action, on: target, parameters)
        }
        defer { bound.lease.end() }
        return try await call(action, of: bound, parameters)
    }

    /// Removes a target from the cache.
    public func releaseTarget(named name: String) {
        ports.registrationStore.remove { $0.release(name) }
    }
}

/// A call that no bundle handles.
public struct UnansweredCall: Sendable {
    /// The name of the target.
    public let target: String
    /// The name of the action.
    public let action: String
    /// The parameters.
    public let parameters: ActionParameters
    /// The caller.
    public let origin: RequestOrigin
}
