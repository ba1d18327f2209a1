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

extension BundleContext {
    /// Returns a page of one of the bundle's page layouts.
    ///
    /// Code fills the layout's slots:
    ///
    /// ```swift
    /// let page = try context.layoutPage("offers/home", slots: ["items": { [.list(catalog.rows)] }]) { action, input, navigator in
    ///     try await router.open("app://shop/item/\(input["id"] ?? "")")
    /// }
    /// ```
    ///
    /// Or a page of code shows the ``LayoutPage/content`` among its own, and passes the actions for which ``LayoutPage/performs(_:)`` is true
    /// on to the layout's page.
    ///
    /// - Parameters:
    ///   - name: The page as `layout/pageId`, where the file is `Pages/<layout>.json`.
    ///   - parameters: The values for `{name}`.
    ///   - slots: The elements of the slots, by name. They are made each time that the page is drawn.
    ///   - onAction: Performs the actions of rows in the slots.
    /// - Throws: The errors of ``BundleResources/screen(_:)``.
    @MainActor
    public func layoutPage(
        _ name: String, parameters: ActionParameters = [:], slots: [String: LayoutPage.Slot] = [:],
        onAction: LayoutPage.ActionHandler? = nil
    ) throws(AtriumError) -> LayoutPage {
        try LayoutPage(
            name, of: resources, parameters: parameters, router: router, slots: slots, onAction: onAction)
    }
}
