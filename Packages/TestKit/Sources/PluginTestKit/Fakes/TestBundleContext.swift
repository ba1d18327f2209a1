public import PluginCore

/// All that a host would pass to a plugin, made of fakes, the plugin's own `Resources/` and a throwaway container.
///
/// ```swift
/// let bench = try TestBundleContext(language: "zh-Hans")
/// let shop = ShopBundle()
/// try await shop.bundleDidLoad(bench.context)
/// let page = try await bench.page(at: "app://shop/item/42", of: shop)
/// ```
public final class TestBundleContext: Sendable {
    /// What the plugin gets.
    public let context: BundleContext
    /// The mediator in the context.
    public let mediator = FakeMediator()
    /// The router in the context.
    public let router = FakeRouter()
    /// The services in the context.
    public let services = FakeServices()
    /// The events in the context.
    public let events = FakeEvents()
    /// What the plugin logged.
    public let log = TestLog()
    /// What the plugin declares.
    public let manifest: Manifest

    /// Makes a context for the plugin whose tests call this.
    ///
    /// - Parameters:
    ///   - manifest: the manifest's path in the plugin's folder; it names the bundle.
    ///   - language: the user's language, a BCP 47 tag.
    ///   - container: where the plugin keeps its data; by default an empty one of its own.
    ///   - file: a source file of the plugin; by default the calling one.
    /// - Throws: ``AtriumError`` with code `manifestInvalid`, or what the file system throws.
    public init(
        manifest: String = "manifest.json", language: String = "en", container: TestContainer? = nil,
        file: String = #filePath
    ) throws {
        let plugin = PluginFolder(of: file)
        let container = try container ?? TestContainer()
        let log = self.log
        self.manifest = try plugin.manifest(manifest)
        context = BundleContext(
            identity: self.manifest.identity,
            resources: BundleResources(root: plugin.resources, languages: [language]),
            container: container.container,
            logger: BundleLogger { level, message in
                // The folder stays as long as somebody could write to it.
                withExtendedLifetime(container) { log.append(level, message) }
            },
            mediator: mediator,
            router: router,
            services: services,
            events: events
        )
    }
}
