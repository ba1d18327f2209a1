public import PluginCore

/// Why an address goes where it goes: what ``Router/explain(_:origin:kinds:)`` finds out without running code of a bundle.
public struct RouteExplanation: Sendable {
    /// The address.
    public let uri: ResourceURI
    /// Who asks.
    public let origin: RequestOrigin
    /// The kinds of routes that would do.
    public let kinds: Set<RouteKind>
    /// The routes that match, in the order in which they are asked, and behind them those that start alike and do not match,
    /// by pattern.
    public let candidates: [RouteCandidate]
    /// The names of those who are asked before the winner serves, in order; guards as `Target.action`. Empty without a winner.
    public let interceptors: [String]
    /// The bundle that would be installed, when nothing that is installed takes the address; `nil` for none.
    public let supplier: String?
    /// What stands in when nothing takes the address, in the order in which it is tried: addresses, and `nil` for code of the
    /// host. Empty when something takes it, or nothing stands in.
    public let fallbacks: [ResourceURI?]

    /// The route that serves the address; `nil` when none does for certain.
    public var winner: RouteCandidate? {
        candidates.first { if case .wins = $0.verdict { true } else { false } }
    }
}

/// A route that is looked at for an address.
public struct RouteCandidate: Sendable {
    /// The route.
    public let route: Route
    /// What its pattern captures; `nil` when it does not match.
    public let captures: RouteCaptures?
    /// What becomes of it.
    public let verdict: Verdict

    /// What becomes of a route.
    public enum Verdict: Hashable, Sendable {
        /// It serves the address.
        case wins
        /// It is asked, and may leave the address to the next.
        case mayDecline
        /// It is of another kind than is asked for.
        case otherKind(RouteKind)
        /// It is not for who asks.
        case hidden(Exposure)
        /// It would have been asked later: its priority is lower than the winner's.
        case lowerPriority(than: Int)
        /// It would have been asked later: what decides is this difference.
        case lessSpecific(Difference)
        /// It would have been asked later: the winner serves the same addresses, and the directory has it first, as the rules
        /// of bundle.json come before the manifests.
        case shadowed(byRouteOf: String)
        /// It does not match.
        case mismatch(RouteMismatch)
    }

    /// The leftmost difference between a pattern and the winner's.
    public struct Difference: Hashable, Sendable {
        /// Where it is.
        public let place: Place
        /// What the pattern has there, as patterns are written; empty when it has nothing.
        public let mine: String
        /// What the winner's pattern has there.
        public let winners: String

        /// A place in a pattern.
        public enum Place: Hashable, Sendable {
            /// A segment of the path, counted from one.
            case segment(Int)
            /// A segment of the fragment's path, counted from one; 0 for whether there is a fragment.
            case fragment(Int)
            /// The scheme.
            case scheme
        }
    }
}
