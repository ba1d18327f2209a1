import PluginCore

/// The texts of one language.
///
/// In English, the sentences of errors, the help of commands and longer texts are read from a file; every other text stays as it is written in the
/// source.
public struct TextCatalog: Sendable {
    /// The tag of the language, such as `zh-Hans`.
    public let language: String
    let punctuation: Punctuation
    private let file: @Sendable () -> LanguageFile

    private init(_ language: String, _ punctuation: Punctuation, file: @escaping @Sendable () -> LanguageFile) {
        (self.language, self.punctuation, self.file) = (language, punctuation, file)
    }

    /// Creates a catalog of translations by their English patterns, for tests.
    package init(language: String, punctuation: Punctuation, texts: [String: String]) {
        self.init(language, punctuation) { LanguageFile(texts: texts) }
    }

    /// The texts in English.
    public static let english = Self("en", .english) { .english }

    /// The texts in Simplified Chinese.
    public static let simplifiedChinese = Self("zh-Hans", .chinese) { .simplifiedChinese }

    /// Returns a sentence of an error in the language; in English if there is no translation.
    ///
    /// - Parameter values: the values in place of their names in braces. Braces without a value are part of the text.
    /// - Returns: `nil` for a key that no file contains, such as the code of a plugin.
    func sentence(
        _ section: LanguageFile.Section, _ key: String, with values: [String: ErrorReason.Value] = [:]
    ) -> String? {
        let template = file()[section, key] ?? LanguageFile.english[section, key]
        return template?.replacing(/\{([A-Za-z0-9]+)(?:\|([^}]+))?\}/) { match in
            values[String(match.1)]?.sentence(separator: match.2.map(String.init)) ?? String(match.0)
        }
    }

    /// Returns a text of a tool for authors, which is in English only; empty if there is none.
    package static func authorText(_ section: String, _ key: String) -> String {
        LanguageFile.Section(rawValue: section).flatMap { LanguageFile.english[$0, key] } ?? ""
    }

    /// Returns the translation of a text without values, with the white space around it; the text itself if there is none.
    func text(for key: String) -> String {
        if language == Self.english.language { return key }
        guard let match = key.wholeMatch(of: /([ \n]*)(.*?)([ \n]*)/.dotMatchesNewlines()),
            let translation = file()[.texts, String(match.2)]
        else { return key }
        return margin(match.1) + translation + margin(match.3)
    }

    /// Returns a sentence in the language; in English if there is no translation.
    func text(for sentence: Sentence) -> String {
        Self.filled(text(for: sentence.pattern), with: sentence.arguments)
    }

    /// Returns the space between two sentences or the line feeds around one; a language without spaces has only the latter.
    private func margin(_ space: Substring) -> String {
        space == " " ? punctuation.gap : String(space)
    }

    /// Replaces `%@` by the next value, and `%2$@` by the second one.
    static func filled(_ template: String, with values: [String]) -> String {
        if values.isEmpty { return template }
        var next = 0
        return template.replacing(/%(?:([0-9]{1,4})\$)?@/) { match in
            if match.1 == nil { next += 1 }
            let number = match.1.flatMap { Int($0) } ?? next
            return values.indices.contains(number - 1) ? values[number - 1] : String(match.0)
        }
    }

    /// Returns whether a language tag is one of Simplified Chinese, such as `zh-Hans` or `zh-Hans-CN`.
    public static func isSimplifiedChinese(_ tag: String) -> Bool {
        let tag = tag.lowercased()
        return tag == "zh-hans" || tag.hasPrefix("zh-hans-")
    }
}
