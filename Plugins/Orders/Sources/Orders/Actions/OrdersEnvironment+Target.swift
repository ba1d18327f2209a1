internal import OrdersInterface
internal import PluginCore

extension OrdersEnvironment {
    /// The plugin's actions for other plugins; `OrdersInterface` has a facade for each of them.
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
