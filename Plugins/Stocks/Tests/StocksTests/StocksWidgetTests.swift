import PluginCore
import PluginExtension
import PluginTestKit
import Testing

@testable import Stocks
@testable import StocksWidget

@Suite("The widget with the watch list", .tags(.medium))
@MainActor
struct StocksWidgetTests {
    private func rows(of content: WidgetContent) throws -> [PageRow] {
        guard case .list(let rows) = try #require(content.elements.first) else { return [] }
        return rows
    }

    @Test("The widget shows the same stocks and prices as the page", arguments: [("en", "Stocks"), ("zh-Hans", "股票")])
    func same(language: String, title: String) async throws {
        let bench = try Bench(language: language)
        for symbol in ["ACME", "ZETA"] { try await bench.perform("add", symbol: symbol) }
        let content = try await bench.widgetContent()
        #expect(content.title == title && content.address == "app://stocks")
        #expect(try await content.elements == bench.page().content)
        let rows = try rows(of: content)
        #expect(rows.map(\.title) == ["ACME", "ZETA"] && Set(rows.map(\.detail)).count == 2)
    }

    @Test("The widget is hidden when the last stock is removed, and shown again with the next one")
    func hidden() async throws {
        let bench = try Bench()
        for symbol in ["ACME", "ZETA"] { try await bench.perform("add", symbol: symbol) }
        try await bench.perform("remove-ACME")
        #expect(bench.host.widgets.hidden == [])
        try await bench.perform("remove-ZETA")
        #expect(bench.host.widgets.hidden == [StocksBundle.widget])
        try await bench.perform("add", symbol: "ACME")
        #expect(bench.host.widgets.hidden == [])
    }

    @Test("A price is made up from the symbol and never changes, in the user's language")
    func price() async throws {
        let bench = try Bench()
        try await bench.perform("add", symbol: "A")
        #expect(try await bench.widgetContent().elements == [.list([PageRow("A", detail: "$796.38")])])
    }

    @Test(
        "The widget shows as many stocks as the host has rows",
        arguments: [(2, ["A", "B"]), (9, ["A", "B", "C"]), (0, []), (-1, [])])
    func rows(count: Int, symbols: [String]) async throws {
        let bench = try Bench()
        for symbol in ["A", "B", "C"] { try await bench.perform("add", symbol: symbol) }
        let content = try await bench.widgetContent(rows: count)
        #expect(try rows(of: content).map(\.title) == symbols)
    }

    @Test("Without the app group, neither the plugin nor the widget starts")
    func ungrouped() async throws {
        let container = try TestContainer()
        let host = try TestBundleContext(of: StocksBundle.self, container: container)
        let error = #expect(throws: AtriumError.self) { try StocksBundle(context: host.context) }
        #expect(error?.code == .groupUndeclared && error?.subject == Bench.group)
        let widget = try TestExtension(of: StocksWidget.self, container: container)
        let refusal = await #expect(throws: AtriumError.self) {
            try await widget.run(WidgetRequest(columns: 1, rows: 1))
        }
        #expect(refusal?.code == .groupUndeclared)
    }
}
