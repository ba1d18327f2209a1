import HostSystem
public import PluginCore

/// The parts of a host that its router, mediator and exchanges use: the registry, the loader and the catalog above them.
public struct RouterPorts: Sendable {
    /// The installed bundles.
    let bundles: any InstalledBundles
    /// The provider of bundles that can be installed, or nil.
    package let onDemandProvider: (any OnDemandProvider)?
    /// The registrations of code.
    let registrationStore: RegistrationStore
    /// Makes the pages that bundles describe by data, or nil for a host that asks the bundles' code for them.
    let layoutPage: LayoutPageMaker?
    /// The limits for one request.
    let limits: RouterLimits
    /// The lease of the host's registrations.
    let hostLease: Lease
    private let clock: any _Concurrency.Clock<Duration>

    /// Collects what a host provides.
    ///
    /// - Parameters:
    ///   - bundles: The installed bundles.
    ///   - onDemandProvider: The provider of bundles that can be installed, or `nil`.
    ///   - registrationStore: The registrations of code.
    ///   - layoutPage: Makes the pages that bundles describe by data.
    ///   - limits: The limits for one request.
    ///   - hostLease: The lease of the host's registrations.
    ///   - clock: The clock for deadlines.
    public init(
        bundles: any InstalledBundles, onDemandProvider: (any OnDemandProvider)? = nil,
        registrationStore: RegistrationStore, layoutPage: LayoutPageMaker? = nil, limits: RouterLimits = .standard,
        hostLease: Lease = Lease(owner: "host"), clock: any _Concurrency.Clock<Duration> = ContinuousClock()
    ) {
        self.bundles = bundles
        self.onDemandProvider = onDemandProvider
        self.registrationStore = registrationStore
        self.layoutPage = layoutPage
        self.limits = limits
        self.hostLease = hostLease
        self.clock = clock
    }

    /// The number of attempts if a bundle is unloaded between finding it and calling it.
    private static let attempts = 100

    /// Returns the deadline for code of bundles, by default the host's.
    func deadline(_ limit: Duration? = nil) -> Deadline { Deadline(limit ?? limits.handlerDeadline, clock: clock) }

    /// Runs a closure that finds routes or targets and calls their bundles until it returns a value.
    ///
    /// - Throws: ``AtriumError`` with code `bundleUnavailable` if bundles are unloaded in between too often, and the errors of `body`.
    func retrying<R>(_ body: () async throws -> R?) async throws -> R {
        var unloads = 0
        while true {
            await bundles.catchUp()
            do {
                if let value = try await body() { return value }
                unloads = 0
            } catch let gone as Lease.Revoked {
                unloads += 1
                if unloads == Self.attempts { throw AtriumError.unloaded(gone.owner) }
            }
        }
    }
}

/// Makes a page that a bundle describes by data.
///
/// It gets the name of the page, the bundle's resources, the request's parameters, and the router that acts for the bundle.
public typealias LayoutPageMaker =
    @MainActor @Sendable (String, BundleResources, ActionParameters, any Routing) throws -> any Page

/// The routes that manifests declare.
///
/// The router asks only for the few that can match, never for all, so a directory of a hundred thousand routes is as fast as one of ten.
public protocol RouteDirectory: Sendable {
    /// Returns the routes whose patterns start with one of the given first segments, without duplicates and in any order.
    ///
    /// See ``RoutePattern/firstSegments``.
    func routes(withFirstSegments firstSegments: [String]) async throws -> [Route]

    /// Returns the routes that match an address in the order in which they are tried.
    ///
    /// Every request calls this. A directory with many routes per first segment should store a ``RouteList`` of them.
    func matches(for uri: ResourceURI) async throws -> [RouteMatch]

    /// Returns all patterns, for suggestions.
    func patterns() async throws -> [String]

    /// Returns whether two different bundles are of the same team, so that each may register routes below the other's addresses.
    func isSameTeam(_ owner: String, _ other: String) async throws -> Bool
}

extension RouteDirectory {
    /// Returns `false`, because this directory knows no teams.
    public func isSameTeam(_ owner: String, _ other: String) async throws -> Bool { false }

    /// Tries all routes with a matching first segment.
    public func matches(for uri: ResourceURI) async throws -> [RouteMatch] {
        RouteList(try await routes(withFirstSegments: RoutePattern.firstSegments(matching: uri))).matches(for: uri)
    }
}

/// The installed bundles: what their manifests declare, and the bundles themselves, which are loaded on first use.
public protocol InstalledBundles: Sendable {
    /// Returns a bundle with its lease, so that calls into it can be counted, loading it on first use.
    ///
    /// - Throws: ``AtriumError`` with the reason why the bundle is not available.
    func loaded(_ identifier: String) async throws -> LoadedBundle

    /// Returns the resources of a bundle without loading its code.
    func resources(of identifier: String) async throws -> BundleResources

    /// Unloads the bundles that another process has replaced or removed by now.
    ///
    /// This is called before every request, so it must be fast if nothing has changed.
    func catchUp() async

    /// Returns the declaration of a target, or `nil` if there is none.
    func target(named name: String) async throws -> TargetListing?

    /// Returns the names of all targets, for suggestions.
    func targetNames() async throws -> [String]

    /// Returns the identifier of the bundle that declares a service, or `nil` if there is none.
    func owner(ofService name: String) async throws -> String?

    /// Returns the names of all services, for suggestions.
    func serviceNames() async throws -> [String]
}

extension InstalledBundles {
    /// Does nothing, for bundles that no other process changes.
    public func catchUp() async {}
}

/// A started bundle: its principal object and the lease for its registrations.
public struct LoadedBundle: Sendable {
    /// The principal object.
    public let principal: Principal
    /// The lease of the bundle.
    public let lease: Lease

    /// Creates a loaded bundle.
    public init(principal: Principal, lease: Lease) {
        self.principal = principal
        self.lease = lease
    }
}

/// A provider of bundles that are not installed yet.
public protocol OnDemandProvider: Sendable {
    /// Returns the identifier of a bundle that would certainly handle an address, or `nil` if there is none.
    ///
    /// See ``RouteQuery/isServed(by:)``. Bundles that are already known not to be installable are omitted, because `canOpen` relies on the
    /// result.
    func providingBundle(ofRoute query: RouteQuery) async throws -> String?

    /// Returns the reason why no bundle for an address can be installed, or nil if there is no such bundle at all.
    func refusal(ofRoute query: RouteQuery) async throws -> AtriumError?

    /// Returns why nobody handles an address that belongs to a bundle which the host has no access to, or nil if it belongs to none.
    func absence(of uri: ResourceURI) async throws -> ErrorReason?

    /// Returns the declaration of a target from a bundle that can be installed, or `nil` if there is none.
    func providingBundle(ofTarget name: String) async throws -> TargetListing?

    /// Returns the identifier of a bundle that provides a service and can be installed, or `nil` if there is none.
    func providingBundle(ofService name: String) async throws -> String?

    /// Returns the patterns of the bundles that can be installed. Throws if they are currently unknown.
    func patterns() async throws -> [String]

    /// Installs a bundle and runs a closure that uses it. If the closure fails because the bundle's code cannot be loaded, uninstalls it.
    func withOnDemandInstall<R: Sendable>(
        _ identifier: String, _ use: @Sendable () async throws -> R
    ) async throws -> R
}

extension OnDemandProvider {
    /// Returns no error, because this provider knows no reason against any of its bundles.
    public func refusal(ofRoute query: RouteQuery) async throws -> AtriumError? { nil }

    /// Returns no reason, because no address belongs to a certain bundle.
    public func absence(of uri: ResourceURI) async throws -> ErrorReason? { nil }
}
