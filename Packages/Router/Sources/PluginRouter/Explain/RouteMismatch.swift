import PluginCore

/// The reason why a pattern does not match an address.
public enum RouteMismatch: Hashable, Sendable {
    /// The pattern requires this scheme.
    case scheme(String)
    /// A segment of the address, counted from one, differs from the literal or does not convert to the capture's type.
    case segment(Int, wanted: String, found: String)
    /// The address ends before this segment, counted from one.
    case tooShort(Int, wanted: String)
    /// The address has this additional segment, counted from one, after the end of the pattern.
    case tooLong(Int, found: String)
    /// The path of the fragment does not match.
    indirect case fragment(RouteMismatch)
    /// The address has no fragment.
    case noFragment
}

extension RouteMismatch {
    /// Finds the mismatch of a pattern, of the expansion that matches furthest. Returns nil if the pattern matches.
    init?(of pattern: RoutePattern, and uri: ResourceURI) {
        if let scheme = pattern.scheme, scheme != uri.scheme {
            self = .scheme(scheme)
            return
        }
        var furthest: (progress: Int, mismatch: RouteMismatch)?
        for expansion in pattern.expansions {
            guard let failure = Self.failure(of: expansion, uri) else { return nil }
            if furthest.map({ $0.progress < failure.progress }) ?? true { furthest = failure }
        }
        guard let furthest else { return nil }
        self = furthest.mismatch
    }

    private typealias Failure = (progress: Int, mismatch: RouteMismatch)

    private static func failure(of expansion: RoutePattern.Expansion, _ uri: ResourceURI) -> Failure? {
        if let failure = failure(of: expansion.path, uri) { return failure }
        guard let wanted = expansion.fragment else { return nil }
        guard let fragment = uri.fragmentAddress else { return (uri.segments.count + 1, .noFragment) }
        return failure(of: wanted, fragment).map {
            (uri.segments.count + 1 + $0.progress, .fragment($0.mismatch))
        }
    }

    private static func failure(of segments: [RoutePattern.Segment], _ uri: ResourceURI) -> Failure? {
        let texts = uri.segments
        for (index, segment) in segments.enumerated() {
            if segment.isRest { return nil }
            guard index < texts.count else { return (index, .tooShort(index + 1, wanted: segment.spelling)) }
            let isAuthority = uri.hasAuthority && index == 0
            if !segment.matches(texts[index], isAuthority: isAuthority) {
                return (index, .segment(index + 1, wanted: segment.spelling, found: texts[index]))
            }
        }
        if texts.count == segments.count { return nil }
        return (segments.count, .tooLong(segments.count + 1, found: texts[segments.count]))
    }
}

extension RoutePattern.Segment {
    /// The segment in the syntax of patterns.
    var spelling: String {
        switch self {
        case .literal(let text): PercentCoding.encode(text)
        case .partial(let partial):
            partial.names.indices.reduce(PercentCoding.encode(partial.literals[0])) {
                $0 + ":{\(partial.names[$1])}" + PercentCoding.encode(partial.literals[$1 + 1])
            }
        case .typed(let name, let converter): ":\(name)<\(converter.name)>"
        case .capture(let name): ":\(name)"
        case .any: "*"
        case .rest(let name): name == RoutePattern.defaultRestName ? "**" : "**\(name)"
        }
    }
}
