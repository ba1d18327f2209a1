public import PluginCore

/// The mediator of the host: finds the bundle of a target, loads it on first use, and caches the target under the bundle's lease.
///
/// Calls through it are calls of the host. Bundles get a mediator that calls on their behalf (``leased(to:)``), and the host chooses the
/// caller for others (``mediator(for:)``):
///
/// ```swift
/// try await mediator.mediator(for: .external).perform(ResourceURI("app://Shop/price?id=42"), [:])
/// ```
public final class Mediator: Sendable {
    let ports: RouterPorts
    let notFound: NotFound?
    /// The targets of the host by name.
    let hostTargets: [String: ActionTarget]

    /// A closure that handles a call that no bundle handles, or throws.
    public typealias NotFound = @Sendable (UnansweredCall) async throws -> any Sendable

    /// Creates a mediator.
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
        CallerMediator(mediator: self, caller: Caller(origin: .plugin(lease.owner), lease: lease))
    }

    /// Returns the mediator for calls that the host forwards for other callers: an external link or an extension.
    public func mediator(for origin: RequestOrigin) -> any Mediating {
        CallerMediator(mediator: self, caller: Caller(origin: origin, lease: nil))
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

extension Mediator: Mediating {
    /// Performs an action on behalf of the host.
    @discardableResult
    public func perform(
        _ action: String, on target: String, _ parameters: ActionParameters
    ) async throws -> any Sendable {
        try await perform(action, on: target, parameters, for: .host)
    }

    /// Performs the action of an address on behalf of the host.
    @discardableResult
    public func perform(_ uri: ResourceURI, _ parameters: ActionParameters) async throws -> any Sendable {
        try await perform(uri, parameters, for: .host)
    }

    /// Removes a target from the cache.
    public func releaseTarget(named name: String) {
        ports.registrationStore.remove { $0.targets.release(name) }
    }
}

/// The caller of an action. The host creates it, and plugin code has no access to it.
struct Caller: Sendable {
    static let host = Caller(origin: .host, lease: nil)

    let origin: RequestOrigin
    /// The lease of the calling bundle, or nil for callers that are not loaded bundles.
    let lease: Lease?
}

/// The mediator for one caller.
final class CallerMediator: Mediating, HostReference {
    private let mediator: Mediator
    private let caller: Caller

    init(mediator: Mediator, caller: Caller) {
        self.mediator = mediator
        self.caller = caller
    }

    @inline(__always)
    func perform(_ action: String, on target: String, _ parameters: ActionParameters) async throws -> any Sendable {
        try await mediator.perform(action, on: target, parameters, for: caller)
    }

    func perform(_ uri: ResourceURI, _ parameters: ActionParameters) async throws -> any Sendable {
        try await mediator.perform(uri, parameters, for: caller)
    }

    func releaseTarget(named name: String) {
        mediator.releaseTarget(named: name)
    }
}
