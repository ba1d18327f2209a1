/// The texts of one language.
///
/// In English, only the sentences of errors are read from a file; every other text stays as it is written in the source.
public struct TextCatalog: Sendable {
    /// The tag of the language, such as `zh-Hans`.
    public let language: String
    let punctuation: Punctuation
    private let file: @Sendable () -> LanguageFile

    /// The place of a value in an English pattern, and in a translation that keeps the order.
    static let placeholder = "%@"

    private init(language: String, punctuation: Punctuation, file: @escaping @Sendable () -> LanguageFile) {
        (self.language, self.punctuation, self.file) = (language, punctuation, file)
    }

    /// Creates a catalog of translations by their English patterns, for tests.
    package init(language: String, punctuation: Punctuation, texts: [String: String]) {
        let file = LanguageFile(texts: texts)
        self.init(language: language, punctuation: punctuation) { file }
    }

    /// The texts as they are written in the source.
    public static let english = TextCatalog(language: "en", punctuation: .english) { .english }

    /// The texts in Simplified Chinese.
    public static let simplifiedChinese = TextCatalog(language: "zh-Hans", punctuation: .chinese) { .simplifiedChinese }

    /// A Boolean value that indicates whether texts stay as they are written.
    private var isEnglish: Bool { language == Self.english.language }

    /// Returns a sentence of an error in the language; in English if there is no translation.
    ///
    /// - Returns: `nil` for a key that no file contains, such as the code of a plugin.
    func sentence(_ section: LanguageFile.Section, _ key: String) -> String? {
        file()[section, key] ?? LanguageFile.english[section, key]
    }

    /// Returns the translation of a text without values, with the white space around it; the text itself if there is none.
    func text(for key: String) -> String {
        if isEnglish { return key }
        let (leading, core, trailing) = Self.trimmed(key)
        guard let translation = file()[.texts, String(core)] else { return key }
        return margin(leading) + translation + margin(trailing)
    }

    /// Returns a sentence in the language; in English if there is no translation.
    func text(for sentence: Sentence) -> String {
        if isEnglish { return sentence.english }
        let (leading, core, trailing) = Self.trimmed(sentence.pattern)
        guard let translation = file()[.texts, String(core)] else { return sentence.english }
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
}
