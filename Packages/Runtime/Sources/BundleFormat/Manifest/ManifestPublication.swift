import PluginCore

// The fields that only people read, in a catalog.
extension ManifestRules {
    /// Validates the license and the address of the web page.
    func publication(_ draft: ManifestDraft) {
        if let license = draft.license, requireLength(of: license, atMost: ManifestLimits.license, at: "license"),
            !LicenseExpression.isValid(license)
        {
            problems.add("license", "notLicense", ["text": .text(license)])
        }
        if let homepage = draft.homepage, requireLength(of: homepage, atMost: ManifestLimits.homepage, at: "homepage"),
            !Self.isSecureAddress(homepage)
        {
            problems.add("homepage", "notHomepage", ["text": .text(homepage)])
        }
    }

    /// Returns whether a text is an `https` address with a host and without a user's name, which could imitate another host.
    private static func isSecureAddress(_ text: String) -> Bool {
        let scheme = "https://"
        guard text.hasPrefix(scheme) else { return false }
        let rest = text.unicodeScalars.dropFirst(scheme.unicodeScalars.count)
        let authority = rest.prefix { !"/?#".unicodeScalars.contains($0) }
        return !authority.isEmpty && authority.first != ":" && !authority.contains("@")
            && rest.allSatisfy { "!"..."~" ~= $0 && !"\"<>\\^`{|}".unicodeScalars.contains($0) }
    }
}

/// The form of a license expression by SPDX 2.3, annex D. The list of licenses is not part of it.
///
/// ```swift
/// LicenseExpression.isValid("Apache-2.0 OR (MIT AND LicenseRef-Icons)")    // true
/// LicenseExpression.isValid("Apache 2.0")                                  // false
/// ```
enum LicenseExpression {
    private enum Expected {
        /// A license, or an opening parenthesis.
        case operand
        /// The name of an exception.
        case exception
        /// An operator or a closing parenthesis; an exception only after a license without one.
        case `operator`(mayHaveException: Bool)
    }

    /// Returns whether a text has the form of an expression.
    static func isValid(_ text: String) -> Bool {
        var expected = Expected.operand
        var depth = 0
        let words = text.replacing("(", with: " ( ").replacing(")", with: " ) ").split(separator: " ").map(String.init)
        for word in words {
            switch (expected, word) {
            case (.operand, "("): depth += 1
            case (.operand, _) where isLicense(word): expected = .operator(mayHaveException: true)
            case (.exception, _) where isIdentifier(word): expected = .operator(mayHaveException: false)
            case (.operator, ")") where depth > 0:
                depth -= 1
                expected = .operator(mayHaveException: false)
            case (.operator, "AND"), (.operator, "OR"): expected = .operand
            case (.operator(mayHaveException: true), "WITH"): expected = .exception
            default: return false
            }
        }
        guard depth == 0, case .operator = expected else { return false }
        return true
    }

    private static func isLicense(_ word: String) -> Bool {
        guard !["AND", "OR", "WITH"].contains(word) else { return false }
        let parts = word.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        if parts.count == 2 {
            return parts[0].hasPrefix("DocumentRef-") && parts[1].hasPrefix("LicenseRef-")
                && parts.allSatisfy(isIdentifier)
        }
        return isIdentifier(word.hasSuffix("+") ? String(word.dropLast()) : word)
    }

    private static func isIdentifier(_ word: String) -> Bool {
        !word.isEmpty
            && word.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || "0"..."9" ~= $0 || $0 == "-" || $0 == ".")
            }
    }
}
