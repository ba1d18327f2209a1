/// What a manager's activations were compared with.
enum Comparison {
    /// With nothing: no bundle runs.
    case needless
    /// With nothing yet, since a bundle was started.
    case missing
    /// With a state of the registry; `nil` for that there was none.
    case made(RouteCache.Generation?)

    /// Returns whether it holds in a state of the registry. What this process has written does not matter: it cuts off what it
    /// replaces and removes itself.
    func holds(in now: RouteCache.Generation?) -> Bool {
        switch (self, now) {
        case (.needless, _), (.made(nil), nil): true
        case (.made(let then?), let now?): !now.isOthersWork(since: then)
        case (.made, _), (.missing, _): false
        }
    }
}
