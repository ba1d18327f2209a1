internal import OrdersInterface
internal import PluginCore

/// Returns the plugin's description; this is the only symbol that the host looks up.
@c(plugin_entry_v1)
public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(OrdersBundle.self) }

/// The orders plugin, which stores orders in its own database.
final class OrdersBundle: BundleDelegate {
    private var environment: OrdersEnvironment?

    init() {}

    func bundleDidLoad(_ context: BundleContext) async throws {
        environment = OrdersEnvironment(context: context, book: try OrderBook(context: context))
    }

    func resource(for request: ResourceRequest) async throws -> Resource {
        guard let environment else { throw AtriumError(.resourceUnknown, request.name, detail: "Orders is not loaded") }
        switch request.name {
        case "list": return .page(ListPage(environment))
        case "order":
            return .page(OrderPage(environment, number: try environment.number(OrdersRoutes.order, in: request)))
        case "cancel":
            try environment.book.cancel(environment.number(OrdersRoutes.cancel, in: request))
            return try .output(of: OrdersRoutes.cancel, NoValue())
        default:
            throw AtriumError(
                .resourceUnknown, request.name, detail: "asked for by \(request.uri)",
                nearest: ["list", "order", "cancel"]
            )
        }
    }

    func target(named name: String) -> ActionTarget? {
        guard let environment, name == OrdersNames.target else { return nil }
        return environment.target
    }
}
