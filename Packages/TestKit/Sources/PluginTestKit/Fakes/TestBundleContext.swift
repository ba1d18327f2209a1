import BundleStorage
import FoundationEssentials
import Glibc
import PageLayouts
public import PluginCore
import Synchronization

/// A bundle context for tests, made of fakes, the plugin's own resources, and a temporary container with defaults and app groups.
///
/// ```swift
/// let bench = try TestBundleContext(of: ShopBundle.self, language: "zh-Hans")
/// let shop = try await ShopBundle(context: bench.context)
/// let page = try await bench.page(at: "app://shop/item/42", of: shop)
/// ```
public final class TestBundleContext: Sendable {
    /// The context to pass to the plugin.
    public let context: BundleContext
    /// The mediator in the context.
    public let mediator = FakeMediator()
    /// The router in the context.
    public let router = FakeRouter()
    /// The services in the context.
    public let services = FakeServices()
    /// The events in the context.
    public let events = FakeEvents()
    /// The widgets in the context.
    public let widgets: FakeWidgets
    /// The log messages of the plugin.
    public let log = TestLog()
    /// The manifest of the plugin, completed by the declarations in its code.
    public let manifest: Manifest

    /// Creates a context for the plugin to which the calling test belongs.
    ///
    /// - Parameters:
    ///   - type: The type of the plugin's principal object.
    ///   - manifest: The path of the manifest in the plugin's folder.
    ///   - language: The user's language, a BCP 47 tag.
    ///   - container: The container for the plugin's data, by default a new one.
    ///   - file: A source file of the plugin, by default the calling one.
    /// - Throws: ``AtriumError`` with code `manifestInvalid` and all differences between manifest and code, or the errors of the file
    ///   system.
    @MainActor
    public init(
        of type: (some BundleDelegate).Type, manifest: String = "manifest.json", language: String = "en",
        container: TestContainer? = nil,
        file: String = #filePath
    ) throws {
        let plugin = PluginFolder(of: file)
        self.manifest = try plugin.manifest(manifest, of: type)
        widgets = FakeWidgets(self.manifest)
        let container = try container ?? TestContainer(groups: self.manifest.appGroups)
        context = BundleContext(
            identity: self.manifest.identity,
            resources: BundleResources(root: plugin.resources, languages: [language]),
            container: container.container,
            defaults: container.defaults(log),
            groups: container.appGroups(self.manifest.appGroups, log),
            widgets: widgets.controller,
            logger: container.logger(log),
            mediator: mediator,
            router: router,
            services: services,
            events: events
        )
    }

    /// Returns the resource that a plugin provides for an address, by the routes in its manifest. Guards are not asked.
    ///
    /// - Parameters:
    ///   - address: The address as a user writes it.
    ///   - bundle: The plugin, started with ``context``.
    ///   - userInfo: The user info.
    /// - Throws: ``AtriumError`` with code `routeUnknown` if the manifest has no matching route, and the errors of the plugin.
    @MainActor
    public func resource(
        at address: String, of bundle: some BundleDelegate, userInfo: ActionParameters = [:]
    ) async throws -> Resource {
        let principal = Principal(bundle)
        for (route, request) in try manifest.requests(at: address, userInfo: userInfo) {
            if route.mayDecline, await !principal.accepts(request) { continue }
            guard let layout = route.layout else { return try await principal.resource(for: request) }
            return .page(
                try LayoutPage(layout, of: context.resources, parameters: request.parameters, router: router))
        }
        throw AtriumError(.routeUnknown, address, nearest: manifest.routes.map(\.pattern))
    }

    /// Returns the page at an address.
    ///
    /// - Throws: The errors of ``resource(at:of:userInfo:)``; ``AtriumError`` with code `routeKind` if it is not a page.
    @MainActor
    public func page(
        at address: String, of bundle: some BundleDelegate, userInfo: ActionParameters = [:]
    ) async throws -> any Page {
        guard case .page(let page) = try await resource(at: address, of: bundle, userInfo: userInfo) else {
            throw AtriumError(.routeKind, address, reason: "noPage")
        }
        for action in (page.actions + page.rowActions).map(\.description) {
            guard let problem = action.problem else { continue }
            throw AtriumError(.fieldInvalid, action.identifier, reason: .verbatim(problem))
        }
        return page
    }

    /// Returns the object at an address, or the result of its handler.
    ///
    /// - Throws: The errors of ``resource(at:of:userInfo:)``; ``AtriumError`` with code `routeKind` if it is a page.
    @MainActor
    public func object(
        at address: String, of bundle: some BundleDelegate, userInfo: ActionParameters = [:]
    ) async throws -> any Sendable {
        guard case .object(let object) = try await resource(at: address, of: bundle, userInfo: userInfo) else {
            throw AtriumError(.routeKind, address, reason: "aPage")
        }
        return object
    }
}

/// A temporary container with the folders of a real one.
///
/// It is removed with the last context that uses it, or at the latest when the process exits. Two contexts with one container simulate the
/// same bundle in two processes:
///
/// ```swift
/// let container = try TestContainer()
/// let before = try TestBundleContext(of: NotesBundle.self, container: container)
/// let after = try TestBundleContext(of: NotesBundle.self, container: container)
/// ```
public final class TestContainer: Sendable {
    /// The container as a bundle sees it.
    public let container: BundleContainer

    private let folder: ThrowawayFolder
    private let groups: [String]

    /// Creates the folders in the system's temporary folder.
    ///
    /// - Parameter groups: The names of the app groups that the manifest requests, each of which gets a folder.
    /// - Throws: The errors of the file system.
    public init(groups: [String] = []) throws {
        folder = try ThrowawayFolder()
        self.groups = groups
        container = BundleContainer(root: folder.appending("data"))
        let folders = [container.documents, container.caches, container.temporary]
        for folder in folders + groups.map({ folder.appending("groups/\($0)") }) {
            try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        }
    }

    /// Returns the app groups among some names for which the container has a folder.
    func appGroups(_ names: [String], _ log: TestLog) -> [AppGroup] {
        names.filter(groups.contains).map { name in
            AppGroup(
                name,
                storage: AppGroupFolder(at: folder.appending("groups/\(name)")) { log.append(.error, "\($0)") })
        }
    }

    func defaults(_ log: TestLog) -> DefaultsFile { DefaultsFile(in: container) { log.append(.error, "\($0)") } }

    /// Returns a logger that keeps the container alive as long as its owner could write to it.
    func logger(_ log: TestLog) -> BundleLogger {
        BundleLogger { [self] level, message in withExtendedLifetime(self) { log.append(level, message) } }
    }
}

/// The log messages of a bundle.
public final class TestLog: Sendable {
    /// A log message.
    public struct Line: Hashable, Sendable {
        /// The importance.
        public let level: BundleLogger.Level
        /// The text.
        public let message: String
    }

    private let collected = Mutex<[Line]>([])

    /// Creates an empty log.
    public init() {}

    /// All messages so far, in order.
    public var lines: [Line] {
        collected.withLock { $0 }
    }

    /// Returns the texts of one level, in order.
    public func messages(_ level: BundleLogger.Level) -> [String] {
        lines.filter { $0.level == level }.map(\.message)
    }

    func append(_ level: BundleLogger.Level, _ message: String) {
        collected.withLock { $0.append(Line(level: level, message: message)) }
    }
}

/// The temporary folders that still exist, which are removed at the latest when the process exits.
///
/// This is needed because a fake whose closure refers to its plugin forms a retain cycle, so its container is never released.
enum Leftovers {
    private static let folders = Mutex<Set<FilePath>>([])
    private static let sweeping: Int32 = atexit {
        for folder in Leftovers.folders.withLock({ $0 }) { Leftovers.remove(folder) }
    }

    static func add(_ folder: FilePath) {
        _ = sweeping
        _ = folders.withLock { $0.insert(folder) }
    }

    static func remove(_ folder: FilePath) {
        _ = folders.withLock { $0.remove(folder) }
        try? FileManager.default.removeItem(atPath: folder.string)
    }
}
