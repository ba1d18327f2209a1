/// An incomplete command line as it stands in a POSIX shell, up to the cursor.
///
/// Quotation marks and backslashes are read as the shell would read them. Variables and patterns are not expanded, because only the
/// shell can do that.
struct ShellLine: Equatable {
    /// The complete words without quotation marks, starting with the program.
    private(set) var words: [String] = []
    /// The word at the cursor without quotation marks.
    private(set) var current = ""
    /// The quotation mark that is still open at the cursor.
    private(set) var openQuote: Character?
    /// The number of characters of the current word that the shell does not replace.
    ///
    /// Bash replaces only what follows the last separator that is not quoted, or the open quotation mark.
    private(set) var kept = 0

    /// Reads a line.
    ///
    /// - Parameter separators: the characters that separate pieces of a word, those of `COMP_WORDBREAKS` in Bash.
    init(_ line: String, separators: String = "") {
        var isInWord = false
        var isEscaped = false
        for character in line {
            if isEscaped {
                // Inside double quotation marks, a backslash is literal unless it precedes one of these.
                if openQuote == "\"", !"\"\\$`\n".contains(character) { current.append("\\") }
                current.append(character)
                isEscaped = false
            } else if character == "\\", openQuote != "'" {
                isEscaped = true
            } else if let quote = openQuote {
                if character == quote {
                    openQuote = nil
                } else {
                    current.append(character)
                }
                continue
            } else if character == "'" || character == "\"" {
                openQuote = character
                kept = current.count
            } else if character.isWhitespace {
                if isInWord { words.append(current) }
                (current, kept, isInWord) = ("", 0, false)
                continue
            } else {
                current.append(character)
                // Readline keeps this one with the piece after it, because host names are completed there.
                if separators.contains(character) { kept = current.count - (character == "@" ? 1 : 0) }
            }
            isInWord = true
        }
    }

    /// Returns the text that the shell inserts for a whole word in place of the typed piece.
    func insertion(of word: String) -> String {
        let rest = word.dropFirst(kept)
        switch openQuote {
        case "'": return String(rest).replacing("'", with: #"'\''"#)
        case "\"": return rest.map { "\"\\$`".contains($0) ? "\\\($0)" : String($0) }.joined()
        default: return rest.map { Self.isPlain($0) ? String($0) : "\\\($0)" }.joined()
        }
    }

    private static func isPlain(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "/:@=._-+,%".contains(character) || !character.isASCII
    }
}
