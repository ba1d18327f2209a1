import PluginCore

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
