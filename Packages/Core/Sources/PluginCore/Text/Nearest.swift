/// Finds what somebody may have meant: the known words nearest to the one they wrote.
///
/// ```swift
/// Nearest.words(to: "app://shp/cart", in: ["app://shop/item", "app://shop/cart"])  // ["app://shop/cart"]
/// ```
public enum Nearest {
    /// Words longer than this, in Unicode scalars, are nobody's typing slip.
    private static let longestWord = 256
    /// However long the word, more edits than this make another one.
    private static let mostEdits = 4
    /// A shorter beginning of a word says too little about it.
    private static let shortestBeginning = 3

    /// The known words that are near enough to `word`, nearest first; equals keep their order.
    ///
    /// Near enough is at most one edit for every three Unicode scalars of the word, always one and at most four, and fewer
    /// than would replace the whole word: `ab` is no slip for `x`. An edit inserts, deletes or replaces a scalar, or swaps
    /// two neighbours; letters are compared without case. When nothing is near, a word of three scalars or more that
    /// begins exactly one known word stands for that one.
    ///
    /// - Parameters:
    ///   - word: what was written; of a word of more than 256 scalars nothing is guessed.
    ///   - known: what there is.
    ///   - limit: how many to give at the most.
    public static func words(to word: String, in known: some Sequence<String>, limit: Int = 3) -> [String] {
        let written = scalars(of: word)
        guard !written.isEmpty, written.count <= longestWord, limit > 0 else { return [] }
        let allowed = min(max(1, written.count / 3), mostEdits)
        var near: [(edits: Int, index: Int, word: String)] = []
        var begun: [String] = []
        for (index, candidate) in known.enumerated() {
            let name = scalars(of: candidate)
            if name.starts(with: written) { begun.append(candidate) }
            guard abs(name.count - written.count) <= allowed else { continue }
            let edits = distance(written, name)
            if edits <= allowed, edits < max(written.count, name.count) { near.append((edits, index, candidate)) }
        }
        if near.isEmpty, written.count >= shortestBeginning, begun.count == 1 { return begun }
        return near.sorted { ($0.edits, $0.index) < ($1.edits, $1.index) }.prefix(limit).map(\.word)
    }

    /// The known reverse-domain names that `word` may stand for: those whose last label it is, because that is what people
    /// type, as `shop` for `com.example.app.shop`; else those near enough to it.
    ///
    /// - Parameters:
    ///   - word: what was written.
    ///   - known: what there is.
    public static func identifiers(to word: String, in known: [String]) -> [String] {
        let ending = known.filter { $0.hasSuffix(".\(word)") }
        return ending.isEmpty ? words(to: word, in: known) : ending
    }

    /// The number of edits that turn one text into the other: optimal string alignment (Damerau-Levenshtein with each
    /// part edited once), on Unicode scalars, without case.
    ///
    /// Takes time in the product of both lengths: bound what comes from outside first.
    public static func distance(_ one: String, _ other: String) -> Int {
        distance(scalars(of: one), scalars(of: other))
    }

    private static func scalars(of text: String) -> [Unicode.Scalar] {
        Array(text.lowercased().unicodeScalars)
    }

    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
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
