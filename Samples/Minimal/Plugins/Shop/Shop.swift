import Contract

/// The function that the host calls, the only symbol that it looks up.
@c(minimal_plugin_entry)
public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(Shop.self) }

/// Items that can be bought.
final class Shop: Plugin {
    init(context: any PluginContext) {
        context.bind(route: "shop/item/:id") { request in
            ItemPage(item: try Item(number: request["id"]), context)
        }
        context.bind(action: "name") { parameters in
            try Item(number: parameters["number"] ?? "").name
        }
    }
}

struct Item {
    let name: String

    /// - Throws: ``Failure`` if the shop has no item with the number.
    init(number: String) throws {
        let names = ["41": "Towel", "42": "Pencil"]
        guard let name = names[number] else { throw Failure("the shop has no item \(number)") }
        self.name = name
    }
}

final class ItemPage: Page {
    private let item: Item
    private let context: any PluginContext

    init(item: Item, _ context: any PluginContext) {
        self.item = item
        self.context = context
    }

    var title: String { item.name }

    func content() throws -> [String] {
        ["A good one.", "In the cart: \(try context.countInCart(item.name))", "Shop \(context.version)"]
    }
}

// The calls of another plugin with types, so that the names and texts are in one place.
extension PluginContext {
    fileprivate func countInCart(_ name: String) throws -> Int {
        let count = try call("cart", "count", ["name": name])
        guard let number = Int(count) else { throw Failure("cart/count returned \"\(count)\", and not a number") }
        return number
    }
}

// In the product: Plugins/Shop, Plugins/Orders/Sources/OrdersInterface. It adds modules for such extensions, which all callers share,
// requirements on the versions of other bundles, routes whose parameters have types, and a manifest that is completed from the code.
