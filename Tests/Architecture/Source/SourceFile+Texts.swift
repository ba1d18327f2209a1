extension SourceFile {
    /// A text for people, by the key of its translations.
    struct Text: Sendable, Hashable {
        let key: String
        let line: Int
        /// A Boolean value that indicates whether it has words besides its values, so that a translation must exist.
        let hasWords: Bool
    }

    /// The names of arguments whose texts the help looks up.
    private static let labels: Set = ["summary", "discussion", "help"]

    /// The texts that are looked up in the tables of translations.
    ///
    /// These are the literals of calls of `localized`, of command declarations and column titles.
    var texts: [Text] {
        var texts: [Text] = []
        var taken: Set<Int> = []
        for index in localizedLiterals + tokens.indices.filter(isDeclaredText) where !taken.contains(index) {
            let parts = chain(from: index)
            taken.formUnion(parts)
            let key = parts.map { PatternText.text(of: tokens[$0]) }.joined()
            let core = key.drop { $0 == " " || $0 == "\n" }
            let end = core.lastIndex { $0 != " " && $0 != "\n" }.map { core.index(after: $0) } ?? core.startIndex
            let trimmed = String(core[..<end])
            let words = trimmed.replacing(PatternText.placeholder, with: "")
            texts.append(
                Text(key: trimmed, line: tokens[index].line, hasWords: words.contains(where: \.isLetter)))
        }
        return texts
    }

    /// The literals that look like a sentence, and are not looked up.
    var plainSentences: [Text] {
        let known = Set((localizedLiterals + tokens.indices.filter(isDeclaredText)).flatMap(chain))
        return tokens.indices.filter { tokens[$0].kind == .literal && !known.contains($0) && !isExampleLine($0) }
            .compactMap {
                let text = PatternText.text(of: tokens[$0])
                return Self.isSentence(text) ? Text(key: text, line: tokens[$0].line, hasWords: true) : nil
            }
    }

    /// Returns whether a text has two words, or a word beside a value.
    private static func isSentence(_ text: String) -> Bool {
        text.contains(/[A-Za-z]{2,}[,;:.)]? [(]?[A-Za-z]{2,}|[A-Za-z]{2,} %@|%@[,;:]? [A-Za-z]{2,}/)
    }

    /// The literals in calls of `localized`, without those in the interpolated code of others.
    private var localizedLiterals: [Int] {
        tokens.indices.dropLast(2).flatMap { index -> [Int] in
            guard tokens[index].isWord("localized"), tokens[index + 1].isSymbol("("), !tokens[index + 2].isWord("key")
            else { return [] }
            var (found, depth, next): ([Int], Int, Int) = ([], 0, index + 2)
            while next < tokens.count {
                let token = tokens[next]
                if token.kind == .literal {
                    found.append(next)
                    next = place(after: next)
                    continue
                }
                if token.isSymbol("(") { depth += 1 }
                if token.isSymbol(")") { depth -= 1 }
                if depth < 0 { break }
                next += 1
            }
            return found
        }
    }

    /// Returns whether a literal is the text of a declaration that is looked up when it is shown.
    private func isDeclaredText(_ index: Int) -> Bool {
        guard tokens[index].kind == .literal, index >= 2 else { return false }
        let (before, previous) = (tokens[index - 2], tokens[index - 1])
        if previous.isSymbol(":") {
            return before.kind == .word && Self.labels.contains(before.text)
        }
        if previous.isSymbol("=") { return before.isWord("Sentence") }
        if previous.isSymbol("(") { return ["Column", "init", "row"].contains(where: before.isWord) }
        if isColumn(index) { return true }
        guard previous.isSymbol(","), index >= 5 else { return false }
        return isExampleLine(literal(endingBefore: index - 1))
    }

    /// Returns whether a literal is the title of a column in the list of a `Table([...])`, or of a `listing(..., \.json, in: [...])`.
    private func isColumn(_ index: Int) -> Bool {
        var (place, depth) = (index - 1, 0)
        while place > 1, depth >= 0 {
            let token = tokens[place]
            if depth == 0, token.isSymbol("[") {
                return tokens[place - 1].isSymbol("(") && tokens[place - 2].isWord("Table")
                    || place > 3 && tokens[place - 2].isWord("in") && tokens[place - 4].isWord("json")
            }
            if [")", "]", "}"].contains(where: token.isSymbol) { depth += 1 }
            if ["(", "[", "{"].contains(where: token.isSymbol) { depth -= 1 }
            if token.isWord("func") { return false }
            place -= 1
        }
        return false
    }

    /// Returns whether a literal is the command line of an example, which is the same in every language.
    private func isExampleLine(_ index: Int?) -> Bool {
        guard let index, index >= 2 else { return false }
        return tokens[index - 1].isSymbol("(") && tokens[index - 2].isWord("Example")
    }

    /// Returns the literal whose last token is before an index.
    private func literal(endingBefore index: Int) -> Int? {
        tokens[..<index].lastIndex { $0.kind == .literal && ($0.form?.end ?? 0) <= tokens[index].offset }
    }

    /// Returns the literals that `+` joins to one text.
    private func chain(from index: Int) -> [Int] {
        var parts = [index]
        var next = place(after: index)
        while next + 1 < tokens.count, tokens[next].isSymbol("+"), tokens[next + 1].kind == .literal {
            parts.append(next + 1)
            next = place(after: next + 1)
        }
        return parts
    }

    /// Returns the index of the first token behind a literal, past its interpolated code.
    private func place(after index: Int) -> Int {
        let end = tokens[index].form?.end ?? tokens[index].offset
        return tokens[index...].dropFirst().firstIndex { $0.offset >= end } ?? tokens.endIndex
    }
}
