/// "Did you mean": the nearest of the names that would have been accepted.
public enum Suggestion {
    /// Words longer than this, in Unicode scalars, are nobody's typing slip.
    private static let longestWord = 256

    /// The candidate that `word` was probably meant to be, or nil when none is near enough.
    ///
    /// Near is a Damerau-Levenshtein distance, ignoring case, of at most a third of the word's length, at least 1 and at
    /// most 4. Of equally near candidates the first wins. When none is near, a word of three letters or more that
    /// starts exactly one candidate stands for that one.
    ///
    /// ```swift
    /// Suggestion.nearest(to: "app://shp/cart", in: ["app://shop/cart", "app://shop/item"])  // "app://shop/cart"
    /// ```
    public static func nearest<Candidates: Sequence>(
        to word: some StringProtocol, in candidates: Candidates
    ) -> Candidates.Element? where Candidates.Element: StringProtocol {
        let typed = Array(word.lowercased().unicodeScalars)
        guard !typed.isEmpty, typed.count <= longestWord else { return nil }
        let cutoff = min(max(typed.count / 3, 1), 4)
        var best: (candidate: Candidates.Element, distance: Int)?
        var begun: [Candidates.Element] = []
        for candidate in candidates {
            let name = Array(candidate.lowercased().unicodeScalars)
            if name.starts(with: typed) { begun.append(candidate) }
            let limit = min(cutoff, (best?.distance ?? cutoff + 1) - 1)
            guard limit >= 0, abs(name.count - typed.count) <= limit else { continue }
            let distance = distance(typed, name)
            // As many edits as letters is another word: "ab" is no slip for "x".
            if distance <= limit, distance < max(typed.count, name.count) { best = (candidate, distance) }
        }
        if let best { return best.candidate }
        return typed.count >= 3 && begun.count == 1 ? begun.first : nil
    }

    /// The least number of insertions, deletions, substitutions and swaps of neighbours, in Unicode scalars.
    ///
    /// Takes time and memory in the product of both lengths: bound what comes from outside first.
    public static func distance(_ a: some StringProtocol, _ b: some StringProtocol) -> Int {
        distance(Array(a.unicodeScalars), Array(b.unicodeScalars))
    }

    // Lowrance and Wagner, 1975: unlike "optimal string alignment", a swapped pair may be edited further.
    private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
        let far = a.count + b.count
        let width = b.count + 2
        var table = [Int](repeating: far, count: (a.count + 2) * width)
        for i in 0...a.count { table[(i + 1) * width + 1] = i }
        for j in 0...b.count { table[width + j + 1] = j }
        var lastRow: [Unicode.Scalar: Int] = [:]
        for i in 0..<a.count {
            var lastMatch = 0
            for j in 0..<b.count {
                let row = lastRow[b[j], default: 0]
                let column = lastMatch
                let substitution = a[i] == b[j] ? 0 : 1
                if a[i] == b[j] { lastMatch = j + 1 }
                table[(i + 2) * width + j + 2] = min(
                    table[(i + 1) * width + j + 1] + substitution,
                    table[(i + 2) * width + j + 1] + 1,
                    table[(i + 1) * width + j + 2] + 1,
                    table[row * width + column] + (i - row) + 1 + (j - column))
            }
            lastRow[a[i]] = i + 1
        }
        return table[(a.count + 1) * width + b.count + 1]
    }
}
