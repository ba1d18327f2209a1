/// A judge, with the place that it stands in and whose it is.
struct StandingJudge {
    let judge: Judge
    fileprivate let key: Key

    fileprivate struct Key: Hashable {
        let name: String
        let place: InterceptorTable.Place
        let owner: String
    }

    init(_ judge: Judge, at place: InterceptorTable.Place, of owner: String) {
        self.judge = judge
        key = Key(name: judge.name, place: place, owner: owner)
    }

    /// What listings call it.
    var name: String { judge.name }
}

/// Who has let a request pass, so that after a wait only those are asked who have not: a judge of the same name, place and
/// owner is the same one, although an update may have put another value there.
struct PassedJudges {
    /// How many of that name, as nothing keeps two from having one.
    private var counts: [StandingJudge.Key: Int] = [:]

    mutating func insert(_ judge: StandingJudge) { counts[judge.key, default: 0] += 1 }

    /// Those who have not been asked, in their order.
    func missing(among judges: [StandingJudge]) -> [StandingJudge] {
        if counts.isEmpty { return judges }
        var left = counts
        return judges.filter { judge in
            guard let count = left[judge.key], count > 0 else { return true }
            left[judge.key] = count - 1
            return false
        }
    }
}
