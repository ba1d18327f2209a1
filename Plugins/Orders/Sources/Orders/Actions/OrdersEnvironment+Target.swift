internal import OrdersInterface
internal import PluginCore

extension OrdersEnvironment {
    /// What the plugin does for others; `OrdersInterface` has a facade for each action.
    var target: ActionTarget {
        ActionTarget(
            OrdersNames.target,
            actions: [
                Action("place") { parameters in
                    try book.place(item: parameters.require("item"), price: parameters.require("price"))
                },
                Action("count") { _ in try book.count() },
            ]
        )
    }
}
