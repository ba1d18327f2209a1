import Contract

/// The function that the host calls.
@c(minimal_plugin_entry)
public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(Cart.self) }

/// The items that the user wants to buy. Other plugins reach it by its actions.
final class Cart: Plugin {
    fileprivate var names: [String] = []

    // The host owns the plugin, and the plugin's code runs only while it does.
    init(context: any PluginContext) {
        context.bind(action: "add") { [unowned self] parameters in
            guard let name = parameters["name"] else { throw Failure("cart/add needs a name") }
            names.append(name)
            return "\(names.count)"
        }
        context.bind(action: "count") { [unowned self] parameters in
            "\(names.count { $0 == parameters["name"] })"
        }
        context.bind(route: "cart") { [unowned self] _ in CartPage(self) }
    }
}

final class CartPage: Page {
    let title = "Cart"
    private let cart: Cart

    init(_ cart: Cart) {
        self.cart = cart
    }

    func content() -> [String] { cart.names.isEmpty ? ["Nothing yet."] : cart.names }
}

// In the product: Plugins/Orders. It adds a database in the plugin's container, which outlives the process, and goes back with the code
// when a version with another form of the data is rolled back.
