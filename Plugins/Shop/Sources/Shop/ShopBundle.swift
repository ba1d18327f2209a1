internal import OrdersInterface
internal import PluginCore
internal import ShopInterface

/// Returns the plugin's description; this is the only symbol that the host looks up.
@c(plugin_entry_v3)
public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(ShopBundle.self) }

/// The shop plugin, with a few items, and gift cards with another plugin's greeting.
final class ShopBundle: BundleDelegate {
    let context: BundleContext
    let catalog = Catalog()

    init(context: BundleContext) throws {
        self.context = context
        try context.events.observe(.orderPlaced) { number in context.logger.debug("order \(number) was placed") }
    }

    static var routes: some RouteSet<ShopBundle> {
        Route(ShopRoutes.home) { shop in HomePage(shop) }
        Route(ShopRoutes.item) { shop, link, request in
            ItemPage(shop, item: try shop.catalog.item(link.id, in: request), from: link.from)
        }
        Route(ShopRoutes.deals) { shop in DealsPage(shop) }
        Route(ShopRoutes.gift) { shop in GiftPage(shop) }
        Route(ShopRoutes.price) { shop, id, request in try shop.catalog.item(id, in: request).price }
            .deadline(.seconds(5))
    }

    var texts: Texts { context.texts }
}
