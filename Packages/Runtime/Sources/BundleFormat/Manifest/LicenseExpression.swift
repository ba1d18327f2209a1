/// The form of a license expression by SPDX 2.3, annex D. The list of licenses is not part of it.
///
/// ```swift
/// LicenseExpression.isValid("Apache-2.0 OR (MIT AND LicenseRef-Icons)")    // true
/// LicenseExpression.isValid("Apache 2.0")                                  // false
/// ```
enum LicenseExpression {
    /// Returns whether a text has the form of an expression.
    static func isValid(_ text: String) -> Bool {
        var words = text.replacing("(", with: " ( ").replacing(")", with: " ) ").split(separator: " ")[...]
        return takesExpression(&words) && words.isEmpty
    }

    /// Takes licenses, each with an exception or in parentheses, and the operators between them.
    private static func takesExpression(_ words: inout ArraySlice<Substring>) -> Bool {
        repeat {
            guard let word = words.popFirst() else { return false }
            if word == "(" {
                guard takesExpression(&words), words.popFirst() == ")" else { return false }
            } else if !isLicense(word) {
                return false
            } else if words.first == "WITH" {
                guard words.dropFirst().first?.wholeMatch(of: /[A-Za-z0-9.-]+/) != nil else { return false }
                words.removeFirst(2)
            }
        } while ["AND", "OR"].contains(words.first) && words.popFirst() != nil
        return true
    }

    private static func isLicense(_ word: Substring) -> Bool {
        let form = /DocumentRef-[A-Za-z0-9.-]*:LicenseRef-[A-Za-z0-9.-]*|[A-Za-z0-9.-]+\+?/
        return !["AND", "OR", "WITH"].contains(word) && word.wholeMatch(of: form) != nil
    }
}
