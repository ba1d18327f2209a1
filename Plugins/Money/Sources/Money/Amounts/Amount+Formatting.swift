extension Amount {
    /// Formats the amount for a language.
    ///
    /// For example `€19.99`, `19,99 €` with a no-break space, or `19.99 欧元`.
    ///
    /// - Parameter language: a BCP 47 tag; for an unknown language, the code precedes the number, as in `EUR 19.99`.
    public func formatted(for language: String) -> String {
        let style = LanguageStyle(of: language)
        let sign = minorUnits < 0 ? "-" : ""
        return sign + style.placed(digits(in: style), currency)
    }

    /// Returns the digits without sign and currency.
    private func digits(in style: LanguageStyle) -> String {
        // The magnitude is used, because the minimum of `Int` has no positive counterpart.
        let (whole, rest) = minorUnits.magnitude.quotientAndRemainder(dividingBy: UInt(currency.scale))
        let digits = String(whole)
        guard currency.digits > 0 else { return digits }
        let minor = String(rest)
        return digits + style.decimal + String(repeating: "0", count: currency.digits - minor.count) + minor
    }
}
