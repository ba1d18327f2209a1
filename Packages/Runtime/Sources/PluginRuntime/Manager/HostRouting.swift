public import PluginCore
public import PluginRouter
public import Registry

/// The handling of requests in a host: where pages are shown, which routes there are, and the limits for one request.
///
/// ```swift
/// var routing = HostRouting(navigator)
/// routing.onDemandProvider = { _ in nil }
/// ```
public struct HostRouting: Sendable {
    /// Shows pages.
    public var navigator: any Navigator
    /// Returns the directory of routes, which is the registry unless something is asked before it.
    public var directory: @Sendable (Registry) -> any RouteDirectory = { $0.routes }
    /// Returns the provider of on-demand installs: the manager's installer, or an object that wraps it; `nil` for none.
    public var onDemandProvider: @Sendable (OnDemandInstaller) -> (any OnDemandProvider)? = { $0 }
    /// The app's own routes, which no other bundle's active version may declare.
    public var rules: [Route] = []
    /// Called for a call to an unknown target or action; `nil` for no handler.
    public var notFound: Mediator.NotFound?
    /// The limits of router and mediator for one request.
    public var limits = RouterLimits.standard
    /// The time limit for running calls of a bundle that is deactivated.
    public var drainDeadline: Duration = .seconds(5)
    /// The clock for deadlines.
    public var clock: any _Concurrency.Clock<Duration> = ContinuousClock()

    /// Creates the handling of requests with the routes of the registry.
    public init(_ navigator: any Navigator) {
        self.navigator = navigator
    }

    /// The deadline for code of bundles that doesn't declare its own.
    var handlerDeadline: Deadline { Deadline(limits.handlerDeadline, clock: clock) }
}
