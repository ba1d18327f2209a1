import PluginCore

/// The order in which routes that match an address are asked; the order of registration never matters.
///
/// Explicit priority decides first, then the leftmost difference of the paths, then that of the fragments, then the scheme, then the
/// bytes of the canonical keys.
extension [RouteMatch] {
    /// The matches in the order in which they are asked.
    ///
    /// Matches of the same canonical key and priority keep their order: rules of bundle.json before manifests, and both before the
    /// routes that code registers.
    func inOrder(for uri: ResourceURI) -> [RouteMatch] {
        guard count > 1 else { return self }
        return sorted { one, other in
            if one.route.priority != other.route.priority { return one.route.priority > other.route.priority }
            return RoutePattern.Expansion.order(one.expansion, other.expansion, ignoringCase: uri.hasAuthority) < 0
        }
    }
}

extension RoutePattern.Expansion {
    /// Compares two expansions. The result is negative if the first one is tried first, and zero only for equal canonical keys.
    ///
    /// If the case of the first segment is ignored, as for an address with an authority, the case decides last.
    static func order(_ one: RoutePattern.Expansion, _ other: RoutePattern.Expansion, ignoringCase: Bool) -> Int {
        let path = order(one.path, other.path, ignoringCase: ignoringCase)
        if path != 0 { return path }
        switch (one.fragment, other.fragment) {
        case (.some, nil): return -1
        case (nil, .some): return 1
        case (let mine?, let theirs?):
            let fragment = order(mine, theirs, ignoringCase: false)
            if fragment != 0 { return fragment }
        case (nil, nil): break
        }
        if (one.scheme == nil) != (other.scheme == nil) { return one.scheme == nil ? 1 : -1 }
        if one.canonicalKey.precedesInBytes(other.canonicalKey) { return -1 }
        return other.canonicalKey.precedesInBytes(one.canonicalKey) ? 1 : 0
    }

    private static func order(
        _ mine: [RoutePattern.Segment], _ theirs: [RoutePattern.Segment], ignoringCase: Bool
    ) -> Int {
        for index in 0..<max(mine.count, theirs.count) {
            let one = index < mine.count ? mine[index].specificity : .end
            let other = index < theirs.count ? theirs[index].specificity : .end
            // Two literals that match the same authority are equally specific.
            if ignoringCase, index == 0, one.rank == 0, other.rank == 0 { continue }
            if one < other { return -1 }
            if other < one { return 1 }
        }
        return 0
    }
}

extension RoutePattern.Segment {
    /// The rank of the segment. At the leftmost difference of two patterns, the one with the lower rank is tried first.
    var specificity: Specificity {
        switch self {
        case .literal(let text): Specificity(rank: 0, name: text)
        case .partial(let partial):
            Specificity(
                rank: 1,
                numbers: (-partial.literalCount, partial.names.count, -partial.literals[0].utf8.count),
                name: partial.canonicalKey
            )
        case .typed(_, let converter): Specificity(rank: 2, numbers: (converter.breadth, 0, 0), name: converter.name)
        case .capture: Specificity(rank: 3)
        case .any: Specificity(rank: 4)
        // Rank 5 is the end of a pattern.
        case .rest: Specificity(rank: 6)
        }
    }
}

/// The rank of a segment among those that can match the same text.
struct Specificity: Comparable {
    static let end = Specificity(rank: 5)

    let rank: Int
    var numbers = (0, 0, 0)
    var name = ""

    static func < (one: Specificity, other: Specificity) -> Bool {
        let mine = (one.rank, one.numbers.0, one.numbers.1, one.numbers.2)
        let theirs = (other.rank, other.numbers.0, other.numbers.1, other.numbers.2)
        return mine == theirs ? one.name.precedesInBytes(other.name) : mine < theirs
    }

    static func == (one: Specificity, other: Specificity) -> Bool { !(one < other) && !(other < one) }
}
