extension Currency {
    /// Swiss francs.
    public static let chf = Currency("CHF", number: 756, digits: 2)
    /// Renminbi.
    public static let cny = Currency("CNY", number: 156, digits: 2)
    /// Euros.
    public static let eur = Currency("EUR", number: 978, digits: 2)
    /// Pounds sterling.
    public static let gbp = Currency("GBP", number: 826, digits: 2)
    /// Yen, which has no minor unit.
    public static let jpy = Currency("JPY", number: 392, digits: 0)
    /// Kuwaiti dinar, which has one thousand fils.
    public static let kwd = Currency("KWD", number: 414, digits: 3)
    /// US dollars.
    public static let usd = Currency("USD", number: 840, digits: 2)
}
