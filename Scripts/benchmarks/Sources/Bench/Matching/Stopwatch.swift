/// A stopwatch for short operations, which repeats them many times.
struct Stopwatch {
    struct NothingFound: Error {}

    let effort: Effort

    /// Returns the average time of one address in seconds, over many rounds through all addresses.
    ///
    /// - Parameters:
    ///   - count: the number of addresses per round.
    ///   - round: performs a round and returns a sum that is not zero.
    func perAddress(of count: Int, _ round: () throws -> Int) async throws -> Double {
        let rounds = max(1, effort.count(400_000) / count)
        var sum = 0
        let elapsed = try await seconds {
            for _ in 0..<rounds { sum &+= try round() }
        }
        guard sum != 0 else { throw NothingFound() }
        return elapsed / Double(rounds * count)
    }

    /// Returns the medians of two operations that alternate, so that both run under the same conditions.
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
