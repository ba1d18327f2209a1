internal import PluginCore
internal import ShopInterface

/// Returns the plugin's description; this is the only symbol that the host looks up.
@c(plugin_entry_v1)
public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(ShopBundle.self) }

/// The shop plugin, with a few items and two ways to open another plugin's page.
final class ShopBundle: BundleDelegate {
    private let release: Release
    private var environment: ShopEnvironment?

    convenience init() {
        self.init(release: .current)
    }

    init(release: Release) {
        self.release = release
    }

    func bundleDidLoad(_ context: BundleContext) async throws {
        environment = ShopEnvironment(context: context, catalogue: Catalogue(deals: release.deals), release: release)
    }

    func resource(for request: ResourceRequest) async throws -> Resource {
        guard let environment else { throw AtriumError(.resourceUnknown, request.name, detail: "Shop is not loaded") }
        switch request.name {
        case "home":
            return .page(HomePage(environment))
        case "item":
            let link = try? request.input(of: ShopRoutes.item)
            let item = try environment.catalogue.item(link?.id, in: request)
            return .page(ItemPage(environment, item: item, from: link?.from))
        case "deals" where !release.deals.isEmpty:
            return .page(DealsPage(environment))
        case "a1":
            return .page(A1Page(environment))
        case "price":
            let item = try environment.catalogue.item(try? request.input(of: ShopRoutes.price), in: request)
            return try .output(of: ShopRoutes.price, item.price)
        default:
            throw AtriumError(
                .resourceUnknown, request.name, detail: "asked for by \(request.uri)",
                nearest: ["home", "item", "a1", "price"]
            )
        }
    }
}
