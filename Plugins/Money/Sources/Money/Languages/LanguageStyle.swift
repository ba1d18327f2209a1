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
    private let names: [String: String]

    private init(_ decimal: String, _ placement: Placement, names: [String: String] = [:]) {
        self.decimal = decimal
        self.placement = placement
        self.names = names
    }

    /// Finds the style for a BCP 47 tag by its first subtag.
    init(of language: String) {
        let primary = language.prefix { $0 != "-" }.lowercased()
        self = Self.known[primary] ?? LanguageStyle(".", .codeBefore)
    }

    private static let known: [String: LanguageStyle] = [
        "de": LanguageStyle(",", .symbolBehind),
        "en": LanguageStyle(".", .symbolBefore),
        "fr": LanguageStyle(",", .symbolBehind),
        "ja": LanguageStyle(".", .symbolBefore),
        "zh": LanguageStyle(
            ".", .nameBehind,
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
