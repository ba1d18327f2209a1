public import PluginCore
public import PluginRouter

/// The explanation of the route that an address takes.
///
/// ``Router/explain(_:origin:kinds:)`` creates it without running code of a bundle.
public struct RouteExplanation: Sendable {
    /// The address.
    public let uri: ResourceURI
    /// The caller.
    public let origin: RequestOrigin
    /// The accepted kinds of routes.
    public let kinds: Set<RouteKind>
    /// The matching routes in the order in which they are tried, followed by similar routes that do not match, sorted by pattern.
    public let candidates: [RouteCandidate]
    /// The names of the interceptors before the winner, in order; guards as target and action. Empty without a winner.
    public let interceptors: [String]
    /// The bundle that would be installed because no installed route accepts the address, or `nil` if there is none.
    public let providingBundle: String?
    /// The fallbacks in the order in which they are tried, if no route accepts the address.
    ///
    /// An element is an address, or `nil` for code of the host.
    public let fallbacks: [ResourceURI?]

    /// The route that handles the address, or nil if no route certainly does.
    public var winner: RouteCandidate? { candidates.first { $0.outcome == .wins } }
}

/// A route that is considered for an address.
public struct RouteCandidate: Sendable {
    /// The route.
    public let route: Route
    /// The captures of the pattern, or nil if it does not match.
    public let captures: RouteCaptures?
    /// The reason why the route is chosen or not.
    public let outcome: Outcome

    /// The reason why a route is chosen or not.
    public enum Outcome: Hashable, Sendable {
        /// The route handles the address.
        case wins
        /// The route is asked and may decline.
        case mayDecline
        /// The route is of another kind than the requested ones.
        case otherKind(RouteKind)
        /// The route is not exposed to the caller.
        case hidden(Exposure)
        /// The route would be tried later, because its priority is lower than the winner's.
        case lowerPriority(than: Int)
        /// The route would be tried later, because of this difference.
        case lessSpecific(Difference)
        /// The route would be tried later, because the winner matches the same addresses and comes first in the directory.
        ///
        /// For example, the rules of bundle.json come before the manifests.
        case shadowed(byRouteOf: String)
        /// Code has registered the route outside of the addresses of its bundle and team, and a manifest has the address.
        case unclaimed
        /// The route and one of another bundle match the same addresses, so opening such an address is an error.
        case conflicts(withRouteOf: String)
        /// The route does not match.
        case mismatch(RouteMismatch)
    }

    /// The leftmost difference between a pattern and the winner's.
    public struct Difference: Hashable, Sendable {
        /// The place of the difference.
        public let place: RoutePattern.Expansion.Place
        /// The part of the pattern at that place, or an empty string if there is none.
        public let mine: String
        /// The part of the winner's pattern at that place, or an empty string if there is none.
        public let winners: String
    }
}

extension RouteCandidate.Difference {
    /// Finds the difference that ranks an expansion after the winner's. Returns nil if there is none.
    init?(of expansion: RoutePattern.Expansion, behind winner: RoutePattern.Expansion, ignoringCase: Bool) {
        guard let place = expansion.difference(from: winner, ignoringCase: ignoringCase)?.place else { return nil }
        self.init(place: place, mine: expansion.spelling(at: place), winners: winner.spelling(at: place))
    }
}

extension RoutePattern.Expansion {
    /// The part of the pattern at a place, or an empty string if there is none.
    fileprivate func spelling(at place: Place) -> String {
        switch place {
        case .segment(let number): number <= path.count ? path[number - 1].spelling : ""
        case .fragment(0): fragment.map { "#" + $0.map(\.spelling).joined(separator: "/") } ?? ""
        case .fragment(let number): fragment.flatMap { number <= $0.count ? $0[number - 1].spelling : nil } ?? ""
        case .scheme: scheme ?? ""
        }
    }
}
