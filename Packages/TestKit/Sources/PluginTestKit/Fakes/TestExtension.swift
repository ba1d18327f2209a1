internal import BundleStorage
import PluginCore
public import PluginExtension
internal import PluginRuntime

/// An extension for tests, which runs in the process of the test with its bundle's resources and a temporary container.
///
/// Input and output are encoded as they are between the real processes. With the container of a ``TestBundleContext``, the extension and
/// its bundle share their data:
///
/// ```swift
/// let container = try TestContainer()
/// let share = try TestExtension(of: NotesShare.self, container: container)
/// let result = try await share.run(NoValue(), items: [ExtensionItem(text: "Milk")])
/// let notes = try TestBundleContext(of: NotesBundle.self, container: container)
/// ```
@MainActor
public final class TestExtension<Extension: ExtensionDelegate> {
    /// The result of a request.
    public struct Result: Sendable {
        /// The output of the extension point's contract.
        public let output: Extension.Output
        /// The returned items.
        public let items: [ExtensionItem]
    }

    /// The environment that the extension is started with.
    public let environment: ExtensionEnvironment
    /// The widgets in the environment.
    public let widgets: FakeWidgets
    /// The log messages of the extension.
    public let log = TestLog()

    /// Creates an environment for an extension of the plugin to which the calling test belongs.
    ///
    /// - Parameters:
    ///   - type: The type of the extension's principal object.
    ///   - language: The user's language, a BCP 47 tag.
    ///   - container: The container for the bundle's data, by default a new one.
    ///   - file: A source file of the plugin, by default the calling one.
    /// - Throws: ``AtriumError`` with code `manifestInvalid`, or the errors of the file system.
    public init(
        of type: Extension.Type, language: String = "en", container: TestContainer? = nil, file: String = #filePath
    ) throws {
        let plugin = PluginFolder(of: file)
        let log = self.log
        let manifest = try plugin.manifest()
        let bundle = manifest.identity
        widgets = FakeWidgets(manifest)
        let container = try container ?? TestContainer(groups: manifest.appGroups)
        let name = Extension.point.identifier.split(separator: ".").last ?? "extension"
        environment = ExtensionEnvironment(
            identifier: BundleIdentifier("\(bundle.identifier.text).\(name)") ?? bundle.identifier,
            bundle: bundle,
            resources: BundleResources(root: plugin.resources, languages: [language]),
            container: container.container,
            defaults: DefaultsFile(in: container.container) { log.append(.error, "\($0)") },
            groups: container.appGroups(manifest.appGroups) { log.append(.error, "\($0)") },
            widgets: widgets.controller,
            logger: BundleLogger { level, message in
                // The logger keeps the container alive as long as the extension could write to it.
                withExtendedLifetime(container) { log.append(level, message) }
            }
        )
    }

    /// Starts the extension, lets it handle one request, and prepares it for its end, as a host does.
    ///
    /// - Parameters:
    ///   - input: The input of the extension point's contract.
    ///   - items: The items of the request.
    ///   - host: The host's side of the request, which records the progress and the opened addresses.
    ///   - limit: The time after which a request without an end is a failure.
    /// - Throws: The errors of starting the extension, ``AtriumError`` if it cancels the request, and ``FixtureError`` if the request does not
    ///   end in time.
    @discardableResult
    public func run(
        _ input: Extension.Input, items: [ExtensionItem] = [], host: FakeRequestHost = FakeRequestHost(),
        limit: Duration = .seconds(20)
    ) async throws -> Result {
        let principal = try await ExtensionType(Extension.self).start(environment)
        do {
            try await principal.beginRequest(CodedValue(input), items: items, host: host)
        } catch {
            host.cancel(error as? AtriumError ?? AtriumError(.pluginFailed, "", reason: .verbatim("\(error)")))
        }
        let end = await host.end(within: limit)
        await principal.extensionWillEnd()
        switch end {
        case .completed(let output, let items): return Result(output: try output.value(), items: items)
        case .canceled(let error): throw error
        case nil: throw FixtureError("\(Extension.self) did not end the request within \(limit)")
        }
    }
}
