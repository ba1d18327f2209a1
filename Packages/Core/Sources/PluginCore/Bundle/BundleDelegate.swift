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

/// Everything that the code of a plugin declares, in the form of a manifest.
///
/// `bundletool pack` writes it into the package's manifest, from which a host knows it without loading the code.
public struct BundleDeclarations: Hashable, Sendable, Codable {
    /// The routes. Their exposure is the default one, because it is decided in the manifest.
    public let routes: [RouteDeclaration]
    /// The targets with their actions.
    public let targets: [TargetDeclaration]
    /// The names of the services.
    public let services: [String]
    /// The extension points.
    public let extensionPoints: [ExtensionPointDeclaration]
    /// The parameters and results of routes and actions, which are not part of a manifest.
    public let inputs: [InputDeclaration]
    /// The events, which are not part of a manifest.
    public let events: [EventDeclaration]
    /// The contradictions in the code, one line each: contracts of another kind, and names that are bound twice.
    public let problems: [String]

    /// Creates a list of declarations.
    public init(
        routes: [RouteDeclaration] = [], targets: [TargetDeclaration] = [], services: [String] = [],
        extensionPoints: [ExtensionPointDeclaration] = [], inputs: [InputDeclaration] = [],
        events: [EventDeclaration] = [], problems: [String] = []
    ) {
        self.events = events
        self.inputs = inputs
        self.routes = routes
        self.targets = targets
        self.services = services
        self.extensionPoints = extensionPoints
        self.problems = problems
    }

    @MainActor
    init<Bundle: BundleDelegate>(of type: Bundle.Type) {
        let (routes, actions) = (Bundle.routes.bindings, Bundle.targets.bindings)
        self.routes = routes.map(\.declaration)
        targets = actions.map(\.target).unique.map { target in
            TargetDeclaration(
                name: target,
                actions: actions.filter { $0.target == target }.compactMap {
                    $0.name.map { ActionDeclaration(name: $0) }
                })
        }
        services = Bundle.services.bindings.map(\.name)
        extensionPoints = Bundle.extensionPoints
        inputs = routes.map { $0.input() } + actions.compactMap { $0.input?() }
        events = Bundle.events
        problems =
            routes.compactMap { route in route.problem.map { "route \(route.declaration.pattern): \($0)" } }
            + Self.repeated(self.routes.map(\.pattern), "route")
            + Self.repeated(self.routes.map(\.name), "route name")
            + Self.repeated(actions.compactMap { action in action.name.map { "\(action.target).\($0)" } }, "action")
            + Self.repeated(services, "service")
            + Self.repeated(extensionPoints.map(\.identifier), "extension point")
            + Self.repeated(events.map(\.name), "event")
    }

    private static func repeated(_ names: [String], _ what: String) -> [String] {
        names.unique.filter { name in names.count { $0 == name } > 1 }.map { "\(what) \($0) is bound twice" }
    }
}

extension [String] {
    /// The distinct elements, in the order of their first occurrence.
    fileprivate var unique: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
