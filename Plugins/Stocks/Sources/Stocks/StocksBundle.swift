internal import PluginCore
internal import StocksData
internal import StocksInterface

/// Returns the plugin's description; this is the only symbol that the host looks up.
@c(plugin_entry_v3)
public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(StocksBundle.self) }

/// The stocks plugin, whose watch list the widget shows as well.
final class StocksBundle: BundleDelegate {
    /// The identifier of the widget, which is hidden while the watch list is empty.
    static let widget: BundleIdentifier = "com.example.app.stocks.widget"
    let context: BundleContext
    let watchList: WatchList

    init(context: BundleContext) throws {
        self.context = context
        watchList = try WatchList(in: context.appGroup(WatchList.group))
    }

    static var routes: some RouteSet<StocksBundle> {
        Route(StocksRoutes.list) { stocks in try ListPage(stocks) }
    }
}
