/// Measures short things by doing them often.
struct Stopwatch {
    struct NothingFound: Error {}

    let effort: Effort

    /// How long one address takes, in seconds, on average over many rounds through all of them.
    ///
    /// - Parameters:
    ///   - count: how many addresses a round has.
    ///   - round: returns a sum that is not zero.
    func perAddress(of count: Int, _ round: () throws -> Int) async throws -> Double {
        let rounds = max(1, effort.count(400_000) / count)
        var sum = 0
        let elapsed = try await seconds {
            for _ in 0..<rounds { sum &+= try round() }
        }
        guard sum != 0 else { throw NothingFound() }
        return elapsed / Double(rounds * count)
    }

    /// The medians of two things that are measured in turn, so that both meet the same machine.
    func medians(
        of one: () async throws -> Double, and other: () async throws -> Double
    ) async throws -> (Double, Double) {
        _ = try await one()
        _ = try await other()
        var (ones, others): ([Double], [Double]) = ([], [])
        for _ in 0..<effort.count(15) {
            ones.append(try await one())
            others.append(try await other())
        }
        return (median(ones), median(others))
    }
}
