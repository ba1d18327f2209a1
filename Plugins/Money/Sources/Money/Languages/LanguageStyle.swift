/// The format of amounts in a language, taken from the patterns of CLDR.
struct LanguageStyle {
    /// The position and the form of the currency.
    enum Placement {
        case symbolBefore
        case symbolBehind
        case nameBehind
        case codeBefore
    }

    let decimal: String
    let placement: Placement
    private var names: [String: String] = [:]
}

extension LanguageStyle {
    /// Finds the style for a BCP 47 tag by its first subtag.
    init(of language: String) {
        let primary = language.prefix { $0 != "-" }.lowercased()
        self = Self.known[primary] ?? LanguageStyle(decimal: ".", placement: .codeBefore)
    }

    private static let known: [String: LanguageStyle] = [
        "de": LanguageStyle(decimal: ",", placement: .symbolBehind),
        "en": LanguageStyle(decimal: ".", placement: .symbolBefore),
        "fr": LanguageStyle(decimal: ",", placement: .symbolBehind),
        "ja": LanguageStyle(decimal: ".", placement: .symbolBefore),
        "zh": LanguageStyle(
            decimal: ".", placement: .nameBehind,
            names: [
                "CHF": "瑞士法郎", "CNY": "元", "EUR": "欧元", "GBP": "英镑", "JPY": "日元", "KWD": "科威特第纳尔", "USD": "美元",
            ]),
    ]
    private static let symbols = ["CNY": "CN¥", "EUR": "€", "GBP": "£", "JPY": "¥", "USD": "$"]

    /// Returns digits together with the currency.
    func placed(_ digits: String, _ currency: Currency) -> String {
        let symbol = Self.symbols[currency.code]
        return switch placement {
        case .symbolBefore: symbol.map { $0 + digits } ?? "\(currency.code)\u{A0}\(digits)"
        case .symbolBehind: "\(digits)\u{A0}\(symbol ?? currency.code)"
        case .nameBehind: "\(digits) \(names[currency.code] ?? currency.code)"
        case .codeBefore: "\(currency.code)\u{A0}\(digits)"
        }
    }
}
