/// An interceptor with its scope and its owner.
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

    /// The name for lists and errors.
    var name: String { judge.name }
}

/// The interceptors that have allowed a request, so that after a suspension only the others are asked.
///
/// Interceptors with the same name, scope and owner count as the same one, even if an update has replaced the value.
struct PassedJudges {
    /// The number of interceptors per key, because several may have the same name.
    private var counts: [StandingJudge.Key: Int] = [:]

    mutating func insert(_ judge: StandingJudge) { counts[judge.key, default: 0] += 1 }

    /// Returns the interceptors that have not been asked, in order.
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
