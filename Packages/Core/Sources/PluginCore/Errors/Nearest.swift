/// Suggestions for a mistyped word: the known words that are nearest to it.
///
/// ```swift
/// Nearest.words(to: "app://shp/cart", in: ["app://shop/item", "app://shop/cart"])  // ["app://shop/cart"]
/// ```
public enum Nearest {
    /// The maximum length of a word for which there are suggestions, in Unicode scalars.
    private static let longestWord = 256
    /// The maximum number of edits, however long the word is.
    private static let mostEdits = 4
    /// The minimum length of a prefix for which a word is suggested.
    private static let shortestBeginning = 3

    /// Returns the known words that are near a given word, nearest first. Words at the same distance keep their order.
    ///
    /// A word is near if it takes at most one edit for every three Unicode scalars of the given word, at least one and at most four, and
    /// fewer than would replace the whole word: `ab` is not near `x`. An edit inserts, deletes or replaces a scalar, or swaps two
    /// neighbors; case is ignored. If no word is near, a given word of three scalars or more that is the prefix of exactly one known word
    /// suggests that word.
    ///
    /// - Parameters:
    ///   - word: The given word. There are no suggestions for more than 256 scalars.
    ///   - known: The known words.
    ///   - limit: The maximum number of suggestions.
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

    /// Returns the known identifiers that a word may stand for.
    ///
    /// These are the identifiers whose last labels equal the word, because people type `shop` for `com.example.app.shop`; otherwise those
    /// near the word.
    ///
    /// - Parameters:
    ///   - word: The given word.
    ///   - known: The known identifiers.
    public static func identifiers(to word: String, in known: [some CustomStringConvertible]) -> [String] {
        let known = known.map(\.description)
        let ending = known.filter { $0.hasSuffix(".\(word)") }
        return ending.isEmpty ? words(to: word, in: known) : ending
    }

    /// Returns the number of edits that turn one text into another, ignoring case.
    ///
    /// This is the optimal string alignment distance (Damerau-Levenshtein with each part edited once) on Unicode scalars. It takes time
    /// proportional to the product of both lengths, so limit the length of untrusted input first.
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
