/// Finds what somebody may have meant: the known words nearest to the one they wrote.
public enum Nearest {
    /// The known words that are near enough to `word`, nearest first; equals keep their order.
    ///
    /// Near enough is at most one edit for every three bytes of the word, and always one. An edit inserts, deletes or
    /// replaces a byte, or swaps two neighbours; letters are compared without case.
    ///
    /// - Parameters:
    ///   - word: what was written.
    ///   - known: what there is.
    ///   - limit: how many to give at the most.
    public static func words(to word: String, in known: some Sequence<String>, limit: Int = 3) -> [String] {
        let allowed = max(1, word.utf8.count / 3)
        let near = known.enumerated().compactMap { index, candidate -> (distance: Int, index: Int, word: String)? in
            let distance = distance(word, candidate)
            return distance <= allowed ? (distance, index, candidate) : nil
        }
        return near.sorted { ($0.distance, $0.index) < ($1.distance, $1.index) }.prefix(limit).map(\.word)
    }

    /// The number of edits that turn one text into the other: optimal string alignment (Damerau-Levenshtein with each
    /// part edited once), on bytes, ASCII letters without case.
    public static func distance(_ one: String, _ other: String) -> Int {
        let left = one.utf8.map(\.lowercasedASCII)
        let right = other.utf8.map(\.lowercasedASCII)
        guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in 1...left.count {
            var current = [row] + Array(repeating: 0, count: right.count)
            for column in 1...right.count {
                let same = left[row - 1] == right[column - 1]
                var best = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (same ? 0 : 1))
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    best = min(best, beforeLast[column - 2] + 1)
                }
                current[column] = best
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
