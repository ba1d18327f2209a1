internal import Money
package import PluginCore

/// The price of a stock, which is made up from its symbol and therefore always the same.
package struct Price: Sendable {
    private let amount: Amount

    /// Creates the price of a symbol.
    package init(of symbol: String) {
        // Swift's own hash differs from process to process.
        let hash = symbol.utf8.reduce(5381) { ($0 &* 33 &+ Int($1)) & 0xFFFF_FFFF }
        amount = Amount(minorUnits: 1_000 + hash % 99_000, of: .usd)
    }

    /// The row of a list with a symbol and its price in the user's language.
    package static func row(of symbol: String, in resources: BundleResources) -> PageRow {
        PageRow(symbol, detail: Price(of: symbol).amount.formatted(for: resources.languages.first ?? "en"))
    }
}
