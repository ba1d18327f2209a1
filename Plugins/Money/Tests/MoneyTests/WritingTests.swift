import Testing

@testable import Money

/// Removes the marks for grouping separators, which only the second release writes.
private func expected(_ text: String) -> String {
    Release.groupsDigits ? text.replacing("'", with: "") : text.replacing(#/'./#, with: "")
}

@Suite("Formatting amounts", .tags(.small))
struct WritingTests {
    @Test(
        "An amount is formatted for the language, with grouping separators in the second release",
        arguments: [
            ("en", 1999, Currency.eur, "€19.99"), ("en-GB", 5, .gbp, "£0.05"), ("en", -123_456, .usd, "-$1',234.56"),
            ("en", 1_234_567, .jpy, "¥1',234',567"), ("en", 1005, .kwd, "KWD\u{A0}1.005"),
            ("de", 123_456, .eur, "1'.234,56\u{A0}€"), ("de-CH", 5, .chf, "0,05\u{A0}CHF"),
            ("fr", 123_456, .eur, "1'\u{202F}234,56\u{A0}€"), ("zh-Hans", 1999, .eur, "19.99 欧元"),
            ("zh", 1_000_000, .cny, "10',000.00 元"), ("ja", 1980, .jpy, "¥1',980"),
            ("tlh", 1999, .eur, "EUR\u{A0}19.99"), ("", 0, .eur, "EUR\u{A0}0.00"),
            ("en", .min, .jpy, "-¥9',223',372',036',854',775',808"),
        ])
    func formatting(language: String, units: Int, currency: Currency, text: String) {
        #expect(Amount(minorUnits: units, of: currency).formatted(for: language) == expected(text))
    }

    #if SecondRelease
        @Test("A currency has its numeric code")
        func number() {
            #expect(Currency.eur.number == 978)
        }
    #endif
}
