/// The principal object of a plugin: it starts the plugin and declares what it provides.
///
/// The host creates one per load, on the main actor. Its type declares everything that the plugin provides: each contract is bound to a
/// closure that receives the principal object and the contract's input. Every requirement except `init` has a default implementation.
///
/// ```swift
/// final class Shop: BundleDelegate {
///     let catalog: Catalog
///
///     init(context: BundleContext) async throws {
///         catalog = try await Catalog(in: context.container)
///     }
///
///     static var routes: some RouteSet<Shop> {
///         Page(ShopRoutes.home) { shop in HomePage(shop.catalog) }
///         Page(ShopRoutes.item) { shop, link in try ItemPage(shop.catalog.item(link.id), from: link.from) }
///         Object(ShopRoutes.price) { shop, id in try shop.catalog.item(id).price }
///     }
///
///     static var targets: some TargetSet<Shop> {
///         Action(ShopActions.reserve) { shop, id in try await shop.catalog.reserve(id) }
///     }
/// }
/// ```
///
/// The declarations belong to the type, so that a test can compare them with the manifest without starting the plugin.
@MainActor
public protocol BundleDelegate: AnyObject, Sendable {
    /// The type of the routes.
    associatedtype ProvidedRoutes: RouteSet<Self> = BindingList<RouteBinding<Self>>
    /// The type of the targets.
    associatedtype ProvidedTargets: TargetSet<Self> = BindingList<ActionBinding<Self>>
    /// The type of the services.
    associatedtype ProvidedServices: ServiceSet<Self> = BindingList<ServiceBinding<Self>>

    /// Starts the plugin. It can register more routes, services and observers through the context.
    ///
    /// - Throws: Any error; the host then does not load the bundle.
    init(context: BundleContext) async throws

    /// The routes that the plugin provides.
    @BindingBuilder<RouteBinding<Self>> static var routes: ProvidedRoutes { get }

    /// The actions that other bundles may call, by target.
    @BindingBuilder<ActionBinding<Self>> static var targets: ProvidedTargets { get }

    /// The services that the plugin provides.
    @BindingBuilder<ServiceBinding<Self>> static var services: ProvidedServices { get }

    /// The extension points at which the plugin accepts extensions of other bundles, one ``ExtensionPoint`` per line.
    @ExtensionPointBuilder static var extensionPoints: [ExtensionPointDeclaration] { get }

    /// The events that the plugin posts and other bundles may observe, one ``Event`` per line.
    ///
    /// A host does not need them. `bundletool lint` compares them with those of the last published version.
    @EventBuilder static var events: [EventDeclaration] { get }

    /// Prepares the bundle for being replaced or removed. Its registrations have already been removed.
    func bundleWillUnload() async
}

extension BundleDelegate {
    /// No routes.
    public static var routes: BindingList<RouteBinding<Self>> { BindingList([]) }

    /// No targets.
    public static var targets: BindingList<ActionBinding<Self>> { BindingList([]) }

    /// No services.
    public static var services: BindingList<ServiceBinding<Self>> { BindingList([]) }

    /// No extension points.
    public static var extensionPoints: [ExtensionPointDeclaration] { [] }

    /// No events.
    public static var events: [EventDeclaration] { [] }

    /// Does nothing.
    public func bundleWillUnload() async {}
}
