internal import PluginCore
internal import PluginExtension
internal import StocksData

/// Returns the extension's description; this is the only symbol that the extension's process looks up.
@c(plugin_entry_v3)
public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(extension: StocksWidget.self) }

/// The widget, which shows the watch list with prices.
final class StocksWidget: ExtensionDelegate {
    static let point = ExtensionPoints.today
    private let watchList: WatchList
    private let resources: BundleResources

    init(environment: ExtensionEnvironment) throws {
        watchList = try WatchList(in: environment.appGroup(WatchList.group))
        resources = environment.resources
    }

    func beginRequest(_ input: WidgetRequest, in context: ExtensionContext<WidgetContent>) throws {
        let (symbols, texts) = (try watchList.symbols(), Texts(resources))
        let list = PageElement.list(symbols.prefix(max(0, input.rows)).map { PageRow(stock: $0, in: resources) })
        let content = symbols.isEmpty ? .text(texts.listEmpty) : list
        try context.completeRequest(
            returning: WidgetContent(title: texts.listTitle, elements: [content], address: "app://stocks"))
    }
}
