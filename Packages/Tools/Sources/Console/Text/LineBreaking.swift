/// The rule for lines of scripts that have no spaces between words, in a simplification of Unicode Standard Annex #14.
enum LineBreaking {
    /// Punctuation that stays at the end of a line.
    private static let closing = "，。、！？：；）」』】》〉…ー々”’,.!?:;)]}\"'"
    /// Punctuation that goes to the next line with the text after it.
    private static let opening = "（「『【《〈“‘([{\"'"

    /// Returns whether a line may be wrapped between two characters.
    ///
    /// Wrapping is allowed between wide characters, but not before closing or after opening punctuation.
    static func isAllowed(between one: Character, and other: Character) -> Bool {
        guard displayWidth(of: one) == 2 || displayWidth(of: other) == 2 else { return false }
        return !closing.contains(other) && !opening.contains(one)
    }

    /// Returns the parts of a word that may be on different lines.
    static func parts(of word: Substring) -> [Substring] {
        if word.utf8.allSatisfy({ $0 < 0x80 }) { return [word] }
        var (parts, start): ([Substring], String.Index) = ([], word.startIndex)
        for (index, next) in zip(word.indices, word.indices.dropFirst())
        where isAllowed(between: word[index], and: word[next]) {
            parts.append(word[start..<next])
            start = next
        }
        return parts + [word[start...]]
    }
}
