internal import Money
package import PluginCore

extension PageRow {
    /// Creates the row of a stock, with a price that is made up from its symbol and therefore always the same.
    package init(stock symbol: String, in resources: BundleResources) {
        // Swift's own hash differs from process to process.
        let hash = symbol.utf8.reduce(5381) { ($0 &* 33 &+ Int($1)) & 0xFFFF_FFFF }
        let price = Amount(minorUnits: 1_000 + hash % 99_000, of: .usd)
        self.init(symbol, detail: price.formatted(for: resources.languages.first ?? "en"))
    }
}
