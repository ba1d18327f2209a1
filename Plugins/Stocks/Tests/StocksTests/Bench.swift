import PluginCore
import PluginExtension
import PluginTestKit

@testable import Stocks
@testable import StocksWidget

/// The plugin and its widget with one app group.
@MainActor
struct Bench {
    static let group = "group.com.example.stocks"
    let host: TestBundleContext
    let bundle: StocksBundle
    let widget: TestExtension<StocksWidget>

    init(language: String = "en") throws {
        let container = try TestContainer(groups: [Self.group])
        host = try TestBundleContext(of: StocksBundle.self, language: language, container: container)
        bundle = try StocksBundle(context: host.context)
        widget = try TestExtension(of: StocksWidget.self, language: language, container: container)
    }

    func page() async throws -> any Page { try await host.page(at: "app://stocks", of: bundle) }

    func perform(_ action: String, symbol: String = "", first: Bool = false) async throws {
        let page = try await page()
        let input = ["symbol": symbol, "first": "\(first)"]
        try await page.perform(action, input: input, on: FakeNavigator(showing: page))
    }

    func widgetContent(rows: Int = 5) async throws -> WidgetContent {
        try await widget.run(WidgetRequest(columns: 40, rows: rows)).output
    }
}
