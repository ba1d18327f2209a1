/// The marks that join texts in a language.
public struct Punctuation: Sendable {
    let openingQuote: String
    let closingQuote: String
    /// The mark between the elements of a list.
    let list: String
    /// The mark before the last of several alternatives.
    let or: String
    /// The mark between clauses.
    let clauses: String
    /// The mark before an explanation.
    let colon: String
    /// A Boolean value that indicates whether a space follows a sentence or a label.
    let separatesWithSpaces: Bool

    /// The space after a label such as `error:`.
    var gap: String { separatesWithSpaces ? " " : "" }

    static let english = Punctuation(
        openingQuote: "\"", closingQuote: "\"", list: ", ", or: " or ", clauses: "; ", colon: ": ",
        separatesWithSpaces: true)

    /// The full-width marks of Chinese.
    public static let chinese = Punctuation(
        openingQuote: "“", closingQuote: "”", list: "、", or: "或", clauses: "；", colon: "：", separatesWithSpaces: false)

    /// Returns alternatives as a phrase, such as `a, b or c`.
    func alternatives(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: list) + or + last
    }
}
