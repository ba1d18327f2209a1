/// The sizes and repetitions of a run.
enum Effort {
    /// What the figures of the README are made with.
    case full
    /// Every measurement once at its smallest size: it shows that all of them work, and its ratios mean nothing.
    case smoke

    /// The size or count of this run.
    func count(_ full: Int, smoke: Int = 1) -> Int {
        switch self {
        case .full: full
        case .smoke: smoke
        }
    }
}
