import Console

/// `NAME=VALUE` pairs in a line that a user types.
///
///     name=Ada Lovelace age=36
///     name="a = b" note="she said \"hello\""
///
/// A value runs to the next ` NAME=`. One that begins with a quotation mark runs to the next quotation mark instead; within,
/// `\"` is a quotation mark and `\\` a backslash. Elsewhere quotation marks and backslashes stand for themselves.
struct FieldValues {
    /// Names and values in the order of the line.
    private(set) var values: [(name: String, value: String)] = []
    /// The first word that belongs to no value.
    private(set) var stray: String?

    /// Reads what stands behind an action's name.
    ///
    /// - Parameters:
    ///   - text: empty, or begins with a space.
    ///   - isName: whether a word before a `=` begins a value, and does not belong to the one before.
    /// - Throws: `UsageError` with code `invalidValue` for a quotation mark that is not closed.
    init(_ text: Substring, isName: (String) -> Bool) throws(UsageError) {
        var rest = text.dropFirst()
        var isOpen = false
        while !rest.isEmpty {
            let word = rest.prefix { $0 != " " }
            let equals = word.firstIndex(of: "=") ?? word.endIndex
            let name = String(word[..<equals])
            if equals < word.endIndex, isName(name) {
                let start = word.index(after: equals)
                if word[start...].first == "\"" {
                    guard let quoted = Quoted(rest[start...]), quoted.rest.first ?? " " == " " else {
                        throw UsageError(
                            .invalidValue, subject: name,
                            expected: [#"\#(name)="...", with \" for a quotation mark in it"#],
                            command: ["hostapp", "shell"], value: String(rest[start...]))
                    }
                    values.append((name, quoted.text))
                    (rest, isOpen) = (quoted.rest.dropFirst(), false)
                    continue
                }
                values.append((name, String(word[start...])))
                isOpen = true
            } else if isOpen, !values.isEmpty {
                values[values.count - 1].value += " " + word
            } else if !word.isEmpty, stray == nil {
                stray = String(word)
            }
            let hasMore = word.endIndex < rest.endIndex
            rest = rest[word.endIndex...].dropFirst()
            // A space at the end belongs to the value, as all others in it.
            if hasMore, rest.isEmpty, isOpen { values[values.count - 1].value += " " }
        }
    }
}

/// A text in quotation marks at the start of another one.
struct Quoted {
    /// The text without the marks.
    let text: String
    /// What stands behind the closing mark.
    let rest: Substring

    /// - Returns: `nil` when the text does not begin with a quotation mark, or none closes it.
    init?(_ whole: Substring) {
        guard whole.first == "\"" else { return nil }
        var (text, index) = ("", whole.index(after: whole.startIndex))
        while index < whole.endIndex {
            let character = whole[index]
            let next = whole.index(after: index)
            if character == "\"" {
                self.text = text
                rest = whole[next...]
                return
            }
            if character == "\\", next < whole.endIndex, "\"\\".contains(whole[next]) {
                text.append(whole[next])
                index = whole.index(after: next)
            } else {
                text.append(character)
                index = next
            }
        }
        return nil
    }
}

extension String {
    /// The words of a line that a user types, cut at spaces; `"one word"` and `--name="one word"` hold spaces.
    ///
    /// - Throws: `UsageError` with code `invalidValue` for a quotation mark that is not closed.
    func lineWords() throws(UsageError) -> [String] {
        var words: [String] = []
        var rest = drop { $0 == " " }
        while !rest.isEmpty {
            let word = rest.prefix { $0 != " " }
            // Where a value begins: behind the name of an option, else at once.
            let label = word.first == "-" ? word.firstIndex(of: "=").map { word[...$0] } ?? word : word.prefix(0)
            let value = rest[label.endIndex...]
            guard value.first == "\"" else {
                words.append(String(word))
                rest = rest[word.endIndex...].drop { $0 == " " }
                continue
            }
            guard let quoted = Quoted(value), quoted.rest.first ?? " " == " " else {
                throw UsageError(
                    .invalidValue, subject: label.isEmpty ? "a word" : String(label.dropLast()),
                    expected: [#"\#(label)"...", with \" for a quotation mark in it"#],
                    command: ["hostapp", "shell"], value: String(value))
            }
            words.append(label + quoted.text)
            rest = quoted.rest.drop { $0 == " " }
        }
        return words
    }
}
