/// An exact amount of money in minor units.
///
/// ```swift
/// let price = Amount(minorUnits: 1999, of: .eur)
/// let total = try price.multiplied(by: 3)
/// total.formatted(for: "en")    // €59.97
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
