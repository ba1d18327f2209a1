import PluginCore

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
