/// The forms of names in a catalog.
enum CatalogWords {
    private static let smallLetters = Set("abcdefghijklmnopqrstuvwxyz".utf8)
    private static let capitals = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
    private static let digits = Set("0123456789".utf8)
    private static let alphanumerics = smallLetters.union(capitals).union(digits)

    /// Returns whether a text is a name of lowercase letters, digits and hyphens that begins with a letter.
    static func isChannel(_ text: String) -> Bool {
        isWord(text, of: smallLetters.union(digits).union("-".utf8))
            && text.utf8.first.map(smallLetters.contains) == true
    }

    /// Returns whether a text can be a platform or build, which is the name of a folder.
    static func isPlatform(_ text: String) -> Bool {
        isWord(text, of: alphanumerics.union("-._".utf8)) && text != "." && text != ".."
    }

    /// Returns whether a text has only the characters of language tags.
    static func isLanguage(_ text: String) -> Bool {
        isWord(text, of: alphanumerics.union("-".utf8))
    }

    /// Returns whether a text can be the name of a module: ASCII letters and digits, beginning with a capital letter.
    static func isModule(_ text: String) -> Bool {
        isWord(text, of: alphanumerics, limit: CatalogLimits.module)
            && text.utf8.first.map(capitals.contains) == true
    }

    /// Returns whether a text can be the name of a converter.
    static func isConverter(_ text: String) -> Bool {
        isWord(text, of: alphanumerics.union("_".utf8), limit: .max)
    }

    private static func isWord(_ text: String, of characters: Set<UInt8>, limit: Int = CatalogLimits.word) -> Bool {
        1...limit ~= text.utf8.count && text.utf8.allSatisfy(characters.contains)
    }
}
