import Testing

@testable import Money

@Suite("Formatting amounts", .tags(.small))
struct WritingTests {
    @Test(
        "An amount is formatted for the language",
        arguments: [
            ("en", 1999, Currency.eur, "€19.99"), ("en-GB", 5, .gbp, "£0.05"), ("en", -123_456, .usd, "-$1234.56"),
            ("en", 1_234_567, .jpy, "¥1234567"), ("en", 1005, .kwd, "KWD\u{A0}1.005"),
            ("de", 123_456, .eur, "1234,56\u{A0}€"), ("de-CH", 5, .chf, "0,05\u{A0}CHF"),
            ("fr", 123_456, .eur, "1234,56\u{A0}€"), ("zh-Hans", 1999, .eur, "19.99 欧元"),
            ("zh", 1_000_000, .cny, "10000.00 元"), ("ja", 1980, .jpy, "¥1980"),
            ("tlh", 1999, .eur, "EUR\u{A0}19.99"), ("", 0, .eur, "EUR\u{A0}0.00"),
            ("en", .min, .jpy, "-¥9223372036854775808"),
        ])
    func formatting(language: String, units: Int, currency: Currency, text: String) {
        #expect(Amount(minorUnits: units, of: currency).formatted(for: language) == text)
    }
}
