public import PluginCore

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

/// A provider of bundles that are not installed yet.
public protocol OnDemandProvider: Sendable {
    /// Returns the identifier of a bundle that would certainly handle an address, or nil if there is none.
    ///
    /// See ``RouteQuery/isServed(by:)``. Bundles that are already known not to be installable are omitted, because `canOpen` relies on the
    /// result.
    func providingBundle(ofRoute query: RouteQuery) async throws -> String?

    /// Returns the reason why no bundle for an address can be installed, or nil if there is no such bundle at all.
    func refusal(ofRoute query: RouteQuery) async throws -> AtriumError?

    /// Returns why nobody handles an address that belongs to a bundle which the host has no access to, or nil if it belongs to none.
    func absence(of uri: ResourceURI) async throws -> ErrorReason?

    /// Returns the declaration of a target from a bundle that can be installed, or nil if there is none.
    func providingBundle(ofTarget name: String) async throws -> TargetListing?

    /// Returns the identifier of a bundle that provides a service and can be installed, or nil if there is none.
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
