import Testing

@testable import Money

/// Removes the marks for grouping separators, which only the second release writes.
private func expected(_ text: String) -> String {
    Release.groupsDigits ? text.replacing("'", with: "") : text.replacing(#/'./#, with: "")
}

@Suite("Formatting and parsing amounts", .tags(.small))
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

    @Test("An amount is parsed with or without currency and grouping separators")
    func parsing() throws {
        let rows: [(String, String, Currency, Int)] = [
            ("19.99", "en", .eur, 1999), ("€19.99", "en", .eur, 1999), (" - € 19.9 ", "en", .eur, -1990),
            ("1,234.50", "en", .usd, 123_450), ("1234.5", "en", .usd, 123_450), ("19,99 €", "de", .eur, 1999),
            ("1.234,56 EUR", "de", .eur, 123_456), ("1 234,5", "fr", .eur, 123_450),
            ("19.99 欧元", "zh-Hans", .eur, 1999),
            ("7", "ja", .jpy, 7), ("0.001", "en", .kwd, 1), ("\u{2212}5", "en", .eur, -500),
        ]
        for (text, language, currency, units) in rows {
            let read = try Amount(parsing: text, of: currency, in: language)
            #expect(read == Amount(minorUnits: units, of: currency), "\(text)")
        }
    }

    @Test("A formatted amount is parsed to the same amount", arguments: ["en", "de", "fr", "zh-Hans", "ja", "tlh"])
    func roundTrip(language: String) throws {
        for currency in Currency.all {
            for units in [0, 1, -1, 99, 1000, -123_456_789, Int.max, .min] {
                let amount = Amount(minorUnits: units, of: currency)
                let text = amount.formatted(for: language)
                #expect(try Amount(parsing: text, of: currency, in: language) == amount, "\(text)")
            }
        }
    }

    @Test(
        "A text that is not an amount is rejected without a trap",
        arguments: [
            "", "-", "€", "19.", ".5", "19.999", "1,23", "12,34.00", "1,234,5", "1.2.3", "--1", "19,99", "1e3", "٣",
            "1 2",
            "€€1", "1€2", "$5",
        ])
    func unreadable(text: String) {
        #expect(throws: MoneyError.unreadable(text)) { try Amount(parsing: text, of: .eur, in: "en") }
    }

    @Test("A text with an amount that is too large is rejected")
    func tooLarge() {
        let text = "92233720368547758.08"
        #expect(throws: MoneyError.overflow) { try Amount(parsing: text, of: .eur, in: "en") }
        #expect(throws: Never.self) { try Amount(parsing: "-" + text, of: .eur, in: "en") }
    }
}
