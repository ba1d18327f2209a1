import Console
import PluginCore
import PluginRouter

extension RouteCandidate.Outcome {
    /// The outcome in the language of the program, with the candidate as the subject.
    var words: String {
        switch self {
        case .wins: localized("wins")
        case .mayDecline: localized("may decline when the address is opened")
        case .otherKind(let kind): localized("is a \(kind.rawValue) route, which was not requested")
        case .hidden(let exposure):
            localized("is not exposed to the caller: its exposure is \"\(exposure.rawValue)\"")
        case .lowerPriority(let winners): localized("has a lower priority than the winner's \(winners)")
        case .lessSpecific(let difference): localized("is less specific: \(difference.words)")
        case .shadowed(let owner): localized("is shadowed by the same route of \(owner)")
        case .unclaimed:
            localized("is registered by code outside of its bundle's addresses, so manifests take precedence")
        case .conflicts(let owner): localized("conflicts with the same route of \(owner), so neither is used")
        case .mismatch(let mismatch): localized("does not match: \(mismatch.words)")
        }
    }
}

extension RouteCandidate.Difference {
    /// A comparison of the differing parts of the two patterns, in the language of the program.
    fileprivate var words: String {
        let part =
            switch place {
            case .segment(let number): localized("segment \(number)")
            case .fragment(0): localized("the fragment")
            case .fragment(let number): localized("segment \(number) of the fragment")
            case .scheme: localized("the scheme")
            }
        let own = mine.isEmpty ? localized("not there") : localized("\"\(mine)\"")
        let other = winners.isEmpty ? localized("not there") : localized("\"\(winners)\"")
        return localized("\(part) is \(own), the winner's \(other)")
    }
}

extension RouteMismatch {
    /// A clause that names the segment that does not match, in the language of the program.
    fileprivate var words: String {
        switch self {
        case .scheme(let scheme): localized("its scheme is \"\(scheme)\"")
        case .segment(let number, let wanted, let found):
            localized("segment \(number) is \"\(found)\" and not \"\(wanted)\"")
        case .tooShort(let number, let wanted): localized("segment \(number), \"\(wanted)\", is not there")
        case .tooLong(let number, let found): localized("it ends before segment \(number), \"\(found)\"")
        case .fragment(let mismatch): localized("in the fragment, \(mismatch.words)")
        case .noFragment: localized("there is no fragment")
        }
    }
}
