internal import BundleStorage
public import PluginCore

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
        let log = self.log
        self.manifest = try plugin.manifest(manifest, of: type)
        widgets = FakeWidgets(self.manifest)
        let container = try container ?? TestContainer(groups: self.manifest.appGroups)
        context = BundleContext(
            identity: self.manifest.identity,
            resources: BundleResources(root: plugin.resources, languages: [language]),
            container: container.container,
            defaults: DefaultsFile(in: container.container) { log.append(.error, "\($0)") },
            groups: container.appGroups(self.manifest.appGroups) { log.append(.error, "\($0)") },
            widgets: widgets.controller,
            logger: BundleLogger { level, message in
                // The logger keeps the container alive as long as the plugin could write to it.
                withExtendedLifetime(container) { log.append(level, message) }
            },
            mediator: mediator,
            router: router,
            services: services,
            events: events
        )
    }
}
