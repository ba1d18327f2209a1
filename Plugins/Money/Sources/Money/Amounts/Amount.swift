/// An amount of money, in minor units, so that it is exact.
///
/// ```swift
/// let price = Amount(minorUnits: 1999, of: .eur)
/// let total = try price.multiplied(by: 3)
/// total.formatted(for: "en")    // €59.97
/// ```
public struct Amount: Hashable, Sendable {
    /// Of which money.
    public let currency: Currency
    /// How much, in the currency's smallest unit; below zero for what is owed.
    public let minorUnits: Int

    /// An amount of cents, fils or whatever the currency's smallest unit is.
    public init(minorUnits: Int, of currency: Currency) {
        self.currency = currency
        self.minorUnits = minorUnits
    }
}
