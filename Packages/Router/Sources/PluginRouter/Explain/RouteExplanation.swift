public import PluginCore

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
    public var winner: RouteCandidate? {
        candidates.first { if case .wins = $0.outcome { true } else { false } }
    }
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
        public let place: Place
        /// The part of the pattern at that place, or an empty string if there is none.
        public let mine: String
        /// The part of the winner's pattern at that place, or an empty string if there is none.
        public let winners: String

        /// A place in a pattern.
        public enum Place: Hashable, Sendable {
            /// A segment of the path, counted from one.
            case segment(Int)
            /// A segment of the fragment's path, counted from one. Zero refers to the presence of a fragment.
            case fragment(Int)
            /// The scheme.
            case scheme
        }
    }
}

extension RouteCandidate.Outcome: CustomStringConvertible {
    /// A clause with the route as its subject, such as a reason why the route is less specific.
    public var description: String {
        switch self {
        case .wins: "wins"
        case .mayDecline: "may decline when the address is opened"
        case .otherKind(let kind): "is a \(kind.rawValue) route, which was not requested"
        case .hidden(let exposure): "is not exposed to the caller: its exposure is \"\(exposure.rawValue)\""
        case .lowerPriority(let winners): "has a lower priority than the winner's \(winners)"
        case .lessSpecific(let difference): "is less specific: \(difference)"
        case .shadowed(let owner): "is shadowed by the same route of \(owner)"
        case .unclaimed: "is registered by code outside of its bundle's addresses, so manifests take precedence"
        case .conflicts(let owner): "conflicts with the same route of \(owner), so neither is used"
        case .mismatch(let mismatch): "does not match: \(mismatch)"
        }
    }
}

extension RouteCandidate.Difference: CustomStringConvertible {
    /// A clause that compares the differing parts of the two patterns.
    public var description: String {
        let what =
            switch place {
            case .segment(let number): "segment \(number)"
            case .fragment(0): "the fragment"
            case .fragment(let number): "segment \(number) of the fragment"
            case .scheme: "the scheme"
            }
        return "\(what) is \(mine.isEmpty ? "not there" : "\"\(mine)\""), the winner's "
            + (winners.isEmpty ? "not there" : "\"\(winners)\"")
    }
}

extension RouteMismatch: CustomStringConvertible {
    /// A clause that names the segment that does not match.
    public var description: String {
        switch self {
        case .scheme(let scheme): "its scheme is \"\(scheme)\""
        case .segment(let number, let wanted, let found): "segment \(number) is \"\(found)\" and not \"\(wanted)\""
        case .tooShort(let number, let wanted): "segment \(number), \"\(wanted)\", is not there"
        case .tooLong(let number, let found): "it ends before segment \(number), \"\(found)\""
        case .fragment(let mismatch): "in the fragment, \(mismatch)"
        case .noFragment: "there is no fragment"
        }
    }
}

extension RouteCandidate.Difference {
    /// Finds the difference that ranks an expansion after the winner's. Returns nil if there is none.
    init?(of expansion: RoutePattern.Expansion, behind winner: RoutePattern.Expansion, ignoringCase: Bool) {
        if let (index, mine, winners) = Self.leftmost(expansion.path, winner.path, ignoringCase: ignoringCase) {
            self.init(place: .segment(index), mine: mine, winners: winners)
            return
        }
        switch (expansion.fragment, winner.fragment) {
        case (nil, let winners?):
            self.init(place: .fragment(0), mine: "", winners: "#" + winners.map(\.spelling).joined(separator: "/"))
            return
        case (let mine?, let winners?):
            if let (index, mine, winners) = Self.leftmost(mine, winners, ignoringCase: false) {
                self.init(place: .fragment(index), mine: mine, winners: winners)
                return
            }
        default: break
        }
        if expansion.scheme == nil, let scheme = winner.scheme {
            self.init(place: .scheme, mine: "", winners: scheme)
            return
        }
        // The case of the authority decides last.
        guard ignoringCase, expansion.canonicalKey != winner.canonicalKey, let mine = expansion.path.first,
            let winners = winner.path.first
        else { return nil }
        self.init(place: .segment(1), mine: mine.spelling, winners: winners.spelling)
    }

    private static func leftmost(
        _ mine: [RoutePattern.Segment], _ winners: [RoutePattern.Segment], ignoringCase: Bool
    ) -> (Int, String, String)? {
        for index in 0..<max(mine.count, winners.count) {
            let (one, other) = (mine[safe: index], winners[safe: index])
            if ignoringCase, index == 0, one?.specificity.rank == 0, other?.specificity.rank == 0 { continue }
            if (one?.specificity ?? .end) == (other?.specificity ?? .end) { continue }
            return (index + 1, one?.spelling ?? "", other?.spelling ?? "")
        }
        return nil
    }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? { index < count ? self[index] : nil }
}
