extension Currency {
    /// Swiss francs.
    public static let chf = Currency("CHF", digits: 2)
    /// Renminbi.
    public static let cny = Currency("CNY", digits: 2)
    /// Euros.
    public static let eur = Currency("EUR", digits: 2)
    /// Pounds sterling.
    public static let gbp = Currency("GBP", digits: 2)
    /// Yen, which has no minor unit.
    public static let jpy = Currency("JPY", digits: 0)
    /// Kuwaiti dinar, which has one thousand fils.
    public static let kwd = Currency("KWD", digits: 3)
    /// US dollars.
    public static let usd = Currency("USD", digits: 2)
}
