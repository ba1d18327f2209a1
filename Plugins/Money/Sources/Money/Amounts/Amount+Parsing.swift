extension Amount {
    /// Parses an amount that a user has typed, such as `19.99`, `-5` or `€1,234.50`, in a language's format.
    ///
    /// - Parameters:
    ///   - text: the digits with the language's decimal separator and optional grouping separators; the currency may stand on
    ///     either side, as
    ///     the language's symbol or as its code.
    ///   - currency: the expected currency.
    ///   - language: a BCP 47 tag.
    /// - Throws: ``MoneyError/unreadable(_:)``, also for more decimals than the currency has, and ``MoneyError/overflow``.
    public init(parsing text: String, of currency: Currency, in language: String) throws(MoneyError) {
        let style = LanguageStyle(of: language)
        var rest = Self.trimmed(text[...])
        let isNegative = rest.first == "-" || rest.first == "\u{2212}"
        if isNegative { rest = Self.trimmed(rest.dropFirst()) }
        rest = Self.without(style.signs(of: currency), rest)
        let halves = rest.split(separator: style.decimal, maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = Self.digits(halves.first ?? "", style.groupings),
            let decimals = halves.count > 1 ? Self.digits(halves[1], []) : "",
            decimals.count <= currency.digits
        else { throw .unreadable(text) }
        let zeros = String(repeating: "0", count: currency.digits - decimals.count)
        guard let units = Int((isNegative ? "-" : "") + whole + decimals + zeros) else { throw .overflow }
        self.init(minorUnits: units, of: currency)
    }

    /// Returns the digits of a number with optional grouping; `nil` for other text and for incorrect grouping.
    private static func digits(_ text: Substring, _ separators: [Character]) -> String? {
        guard let separator = text.first(where: separators.contains) else {
            return !text.isEmpty && text.allSatisfy(isDigit) ? String(text) : nil
        }
        let groups = text.split(separator: separator, omittingEmptySubsequences: false)
        guard 1...3 ~= groups[0].count, groups.dropFirst().allSatisfy({ $0.count == 3 }),
            groups.joined().allSatisfy(isDigit)
        else { return nil }
        return groups.joined()
    }

    private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isWholeNumber }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }

    /// Returns the text without the first of the signs that is at its start or end.
    private static func without(_ signs: [String], _ text: Substring) -> Substring {
        for sign in signs {
            if text.hasPrefix(sign) { return trimmed(text.dropFirst(sign.count)) }
            if text.hasSuffix(sign) { return trimmed(text.dropLast(sign.count)) }
        }
        return text
    }
}
