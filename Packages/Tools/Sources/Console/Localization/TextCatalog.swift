/// The translations of texts into one language.
///
/// English is the catalog without entries: nothing is loaded for it, and every text stays as it is written in the source.
public struct TextCatalog: Sendable {
    /// The tag of the language, such as `zh-Hans`.
    public let language: String
    let punctuation: Punctuation
    private let entries: [String: String]

    /// The place of a value in an English pattern, and in a translation that keeps the order.
    static let placeholder = "%@"

    /// Creates a catalog from tables.
    ///
    /// - Parameter tables: the texts of files in the form of `Localizable.strings`; a later entry takes precedence.
    public init(language: String, punctuation: Punctuation, tables: [String]) {
        self.language = language
        self.punctuation = punctuation
        entries = tables.reduce(into: [:]) { entries, table in
            for (key, translation) in StringsTable.entries(of: table) { entries[key] = translation }
        }
    }

    /// The texts as they are written in the source.
    public static let english = TextCatalog(language: "en", punctuation: .english, tables: [])

    /// A Boolean value that indicates whether texts stay as they are written.
    var isEnglish: Bool { entries.isEmpty }

    /// Returns the translation of a text without values, with the white space around it; the text itself if there is none.
    func text(for key: String) -> String {
        if isEnglish { return key }
        let (leading, core, trailing) = Self.trimmed(key)
        guard let translation = entries[String(core)] else { return key }
        return margin(leading) + translation + margin(trailing)
    }

    /// Returns a sentence in the language; in English if there is no translation.
    func text(for sentence: Sentence) -> String {
        if isEnglish { return sentence.english }
        let (leading, core, trailing) = Self.trimmed(sentence.pattern)
        guard let translation = entries[String(core)] else { return sentence.english }
        return margin(leading) + Self.filled(translation, with: sentence.arguments) + margin(trailing)
    }

    /// Returns the space between two sentences or the line feeds around one; a language without spaces has only the latter.
    private func margin(_ space: Substring) -> String {
        space == " " && !punctuation.separatesWithSpaces ? "" : String(space)
    }

    private static func trimmed(_ text: String) -> (Substring, Substring, Substring) {
        let isSpace = { (character: Character) in character == " " || character == "\n" }
        let leading = text.prefix(while: isSpace)
        let rest = text[leading.endIndex...]
        guard let last = rest.lastIndex(where: { !isSpace($0) }) else { return (leading, "", "") }
        let end = rest.index(after: last)
        return (leading, rest[..<end], rest[end...])
    }

    /// Replaces `%@` by the next value, and `%2$@` by the second one.
    private static func filled(_ template: String, with values: [String]) -> String {
        var (text, rest, next) = ("", template[...], 0)
        while let percent = rest.firstIndex(of: "%") {
            text += rest[..<percent]
            rest = rest[percent...].dropFirst()
            let digits = rest.prefix { "0"..."9" ~= $0 }
            let tail = rest[digits.endIndex...]
            if rest.hasPrefix("@"), next < values.count {
                text += values[next]
                next += 1
                rest = rest.dropFirst()
            } else if tail.hasPrefix("$@"), let number = Int(digits), values.indices.contains(number - 1) {
                text += values[number - 1]
                rest = tail.dropFirst(2)
            } else {
                text += "%"
            }
        }
        return text + rest
    }
}

extension TextCatalog {
    /// Returns whether a language tag is one of Simplified Chinese, such as `zh-Hans` or `zh-Hans-CN`.
    public static func isSimplifiedChinese(_ tag: String) -> Bool {
        let tag = tag.lowercased()
        return tag == "zh-hans" || tag.hasPrefix("zh-hans-")
    }

    /// Returns the texts of this module in Simplified Chinese, with those of a program.
    public static func simplifiedChinese(adding tables: [String]) -> TextCatalog {
        TextCatalog(
            language: "zh-Hans", punctuation: .chinese,
            tables: [SimplifiedChinese.console, SimplifiedChinese.errors, SimplifiedChinese.reasons] + tables)
    }
}
