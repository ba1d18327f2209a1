/// The sizes and repetitions of a run.
enum Effort {
    /// The sizes for the published figures.
    case full
    /// One measurement of the smallest size, which shows that the benchmark works but yields meaningless ratios.
    case smoke

    /// Returns the size or the number of repetitions for this run.
    func count(_ full: Int, smoke: Int = 1) -> Int {
        switch self {
        case .full: full
        case .smoke: smoke
        }
    }
}
