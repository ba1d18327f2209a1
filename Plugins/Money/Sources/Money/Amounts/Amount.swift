/// An exact amount of money in minor units.
///
/// ```swift
/// Amount(minorUnits: 1999, of: .eur).formatted(for: "en")    // €19.99
/// ```
public struct Amount: Hashable, Sendable {
    /// The currency.
    public let currency: Currency
    /// The amount in the currency's minor unit, negative for a debt.
    public let minorUnits: Int

    /// Creates an amount in the currency's minor unit, such as cents.
    public init(minorUnits: Int, of currency: Currency) {
        self.currency = currency
        self.minorUnits = minorUnits
    }
}
