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
///         Route(ShopRoutes.home) { shop in HomePage(shop.catalog) }
///         Route(ShopRoutes.item) { shop, link in try ItemPage(shop.catalog.item(link.id), from: link.from) }
///         Route(ShopRoutes.price) { shop, id in try shop.catalog.item(id).price }
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

    /// The events that the plugin posts and other bundles may observe, one ``Event`` per line.
    ///
    /// A host does not need them. `bundletool lint` compares them with those of the last published version.
    @DeclarationBuilder static var events: [EventDeclaration] { get }

    /// Prepares the bundle for being replaced or removed. Its registrations have already been removed.
    func bundleWillUnload() async
}

extension BundleDelegate {
    /// No routes.
    public static var routes: BindingList<RouteBinding<Self>> { BindingList(bindings: []) }

    /// No targets.
    public static var targets: BindingList<ActionBinding<Self>> { BindingList(bindings: []) }

    /// No services.
    public static var services: BindingList<ServiceBinding<Self>> { BindingList(bindings: []) }

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
    /// The events, which are not part of a manifest.
    public let events: [EventDeclaration]
    /// The contradictions in the code, one line each: contracts of another kind, and names that are bound twice.
    public let problems: [String]

    /// Creates a list of declarations.
    public init(
        routes: [RouteDeclaration] = [], targets: [TargetDeclaration] = [], services: [String] = [],
        events: [EventDeclaration] = [], problems: [String] = []
    ) {
        self.events = events
        self.routes = routes
        self.targets = targets
        self.services = services
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
        events = Bundle.events
        problems =
            Self.repeated(self.routes.map(\.pattern), "route")
            + Self.repeated(self.routes.map(\.name), "route name")
            + Self.repeated(actions.compactMap { action in action.name.map { "\(action.target).\($0)" } }, "action")
            + Self.repeated(services, "service")
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

/// Everything that a plugin gets from its host. It is passed in; there is no global access to the host.
public final class BundleContext: Sendable {
    /// The identifier and version of this bundle.
    public let identity: BundleIdentity
    /// The bundle's own resources.
    public let resources: BundleResources
    /// The folders for the bundle's data.
    public let container: BundleContainer
    /// The bundle's settings and other small values, which survive the process.
    public let defaults: any DefaultsStore
    private let groups: [AppGroup]
    /// The controller of the bundle's widgets.
    public let widgets: WidgetController
    /// The bundle's log.
    public let logger: BundleLogger
    /// The mediator, which calls actions of other bundles.
    public let mediator: any Mediating
    /// The router, which opens addresses and registers routes.
    ///
    /// A route that is registered here is removed when this bundle is unloaded.
    public let router: any Routing
    /// The registry of services, which provides this bundle's services and finds those of other bundles.
    ///
    /// A service that is registered here is removed when this bundle is unloaded.
    public let services: any ServiceRegistry
    /// The event bus, which posts events to other bundles and observes theirs.
    ///
    /// An observer that is registered here is removed when this bundle is unloaded.
    public let events: any EventBus

    /// Creates a context. Hosts and tests call this; plugins receive a context.
    public init(
        identity: BundleIdentity, resources: BundleResources, container: BundleContainer, defaults: any DefaultsStore,
        groups: [AppGroup] = [], widgets: WidgetController, logger: BundleLogger, mediator: any Mediating,
        router: any Routing, services: any ServiceRegistry, events: any EventBus
    ) {
        self.services = services
        self.events = events
        self.identity = identity
        self.resources = resources
        self.container = container
        self.defaults = defaults
        self.groups = groups
        self.widgets = widgets
        self.logger = logger
        self.mediator = mediator
        self.router = router
    }

    /// Returns an app group that the bundle's manifest declares.
    ///
    /// - Throws: ``AtriumError`` with code `groupUndeclared` for any other group.
    public func appGroup(_ name: String) throws(AtriumError) -> AppGroup { try groups.declared(name) }
}

/// The folders that a bundle may write to. They are separate from its code, so updating or uninstalling the bundle keeps them.
public struct BundleContainer: Sendable {
    /// The container's root.
    public let root: FilePath

    /// Creates a container at a root folder.
    ///
    /// - Parameter root: The folder that holds the bundle's data.
    public init(root: FilePath) {
        self.root = root
    }

    /// The folder for files that the user created and that cannot be regenerated.
    public var documents: FilePath { root.appending("Documents") }
    /// The folder for files that can be regenerated.
    public var caches: FilePath { root.appending("Library/Caches") }
    /// The folder for files that are needed only while the process runs.
    public var temporary: FilePath { root.appending("tmp") }
}

/// The log of a bundle.
public struct BundleLogger: Sendable {
    /// The importance of a log message.
    public enum Level: String, Sendable, Comparable, CaseIterable {
        /// A message for the plugin's author.
        case debug
        /// A message for the person who runs the host.
        case info
        /// A message about a problem from which the bundle recovered.
        case error

        /// Compares two levels by importance.
        public static func < (one: Level, other: Level) -> Bool {
            allCases.firstIndex(of: one) ?? 0 < allCases.firstIndex(of: other) ?? 0
        }
    }

    private let sink: @Sendable (Level, String) -> Void

    /// Creates a logger that passes each message to a closure, on the thread that logs it.
    public init(sink: @escaping @Sendable (Level, String) -> Void) {
        self.sink = sink
    }

    /// Writes a message at a level.
    public func log(_ level: Level, _ message: String) { sink(level, message) }
    /// Writes a message for the plugin's author.
    public func debug(_ message: String) { sink(.debug, message) }
    /// Writes a message for the person who runs the host.
    public func info(_ message: String) { sink(.info, message) }
    /// Writes a message about a problem.
    public func error(_ message: String) { sink(.error, message) }
}

/// The controller of a bundle's widgets, which hides a widget that has nothing to show.
///
/// The bundle and its extensions each get a controller from their host. This corresponds to `NCWidgetController`.
///
/// ```swift
/// try await context.widgets.setHasContent(!watchList.isEmpty, for: "com.example.app.stocks.widget")
/// ```
public struct WidgetController: Sendable {
    private let body: @Sendable (Bool, BundleIdentifier) async throws -> Void

    /// Creates a controller. Hosts and tests call this; plugins and extensions receive a controller.
    public init(_ body: @escaping @Sendable (Bool, BundleIdentifier) async throws -> Void) {
        self.body = body
    }

    /// Hides a widget that has nothing to show, or shows it again. The choice holds until the next call, also after an update.
    ///
    /// - Parameter identifier: The identifier of an extension that the bundle contains.
    /// - Throws: ``AtriumError`` with code `extensionUndeclared` for any other identifier, `sandboxBusy` or `inputOutput`.
    public func setHasContent(_ hasContent: Bool, for identifier: BundleIdentifier) async throws {
        try await body(hasContent, identifier)
    }
}
