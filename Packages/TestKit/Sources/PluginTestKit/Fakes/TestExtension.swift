import BundleStorage
import ExtensionHost
public import PluginCore
public import PluginExtension
import PluginRuntime
import Synchronization

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
            defaults: container.defaults(log),
            groups: container.appGroups(manifest.appGroups, log),
            widgets: widgets.controller,
            logger: container.logger(log)
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

/// A fake host of a request to an extension. It records the end and the progress, and can announce that the time is about to end.
///
/// ```swift
/// let host = FakeRequestHost()
/// let result = Task { try await share.run(NoValue(), items: items, host: host) }
/// host.expire(in: .seconds(2))
/// await #expect(throws: AtriumError.self) { try await result.value }
/// ```
public final class FakeRequestHost: ExtensionRequestHost {
    /// The end of a request.
    public enum End: Sendable {
        /// The extension completed the request with an output and items.
        case completed(CodedValue, items: [ExtensionItem])
        /// The extension canceled the request, or threw an error.
        case canceled(AtriumError)
    }

    private struct State {
        var end: End?
        var progress: [Double] = []
        var page: (any Page)?
        var remaining: Duration?
        var onExpiration: (@MainActor @Sendable (Duration) -> Void)?
    }

    private let state = Watched(State())

    /// The router that opens the extension's addresses. It records them.
    public let router: FakeRouter

    /// Creates a host of one request.
    ///
    /// - Parameter router: The router with the outcomes that the test defines.
    public init(router: FakeRouter = FakeRouter()) {
        self.router = router
    }

    /// The end of the request, or nil while it is open.
    public var end: End? { state.value.end }

    /// The completed parts that the extension has reported so far, in order.
    public var progress: [Double] { state.value.progress }

    /// Tells the extension that its time is about to end, now or when it registers its closure.
    public func expire(in remaining: Duration) {
        let body = state.update { state in
            state.remaining = remaining
            defer { state.onExpiration = nil }
            return state.onExpiration
        }
        if let body { Task { @MainActor in body(remaining) } }
    }

    /// Waits for the end of the request, and returns nil if it is still open after some time.
    func end(within limit: Duration) async -> End? { await state.wait(limit) { $0.end } }

    /// Records the result of the request, unless it has ended.
    public func complete(_ output: CodedValue, items: [ExtensionItem]) { finish(.completed(output, items: items)) }

    /// Records the error of the request, unless it has ended.
    public func cancel(_ error: AtriumError) { finish(.canceled(error)) }

    /// Opens an address with the fake router.
    ///
    /// - Throws: The errors that the test has defined.
    public func open(_ uri: ResourceURI) async throws {
        try await router.open(uri, userInfo: [:], presentation: .push)
    }

    /// Records the page.
    ///
    /// - Throws: ``AtriumError`` with code `pageNotShown` if there is one already.
    public func show(_ page: any Page) async throws {
        let isFirst = state.update { state in
            defer { state.page = state.page ?? page }
            return state.page == nil
        }
        if !isFirst { throw AtriumError(.pageNotShown, await page.title) }
    }

    /// Waits for the page that the extension shows, on which the test performs actions.
    ///
    /// ```swift
    /// let host = FakeRequestHost()
    /// let result = Task { try await share.run(NoValue(), items: items, host: host) }
    /// let page = try await host.page()
    /// try await page.perform("save", input: ["text": "Milk"], on: FakeNavigator(showing: page))
    /// #expect(try await result.value.items.isEmpty)
    /// ```
    ///
    /// - Throws: ``FixtureError`` if there is none in time.
    public func page(within limit: Duration = .seconds(10)) async throws -> any Page {
        guard let page = await state.wait(limit, until: { $0.page }) else {
            throw FixtureError("the extension did not show a page within \(limit)")
        }
        return page
    }

    /// Records the completed part.
    public func reportProgress(_ fraction: Double) { state.update { $0.progress.append(fraction) } }

    /// Registers the closure that ``expire(in:)`` calls.
    public func onExpiration(_ body: @escaping @MainActor @Sendable (Duration) -> Void) {
        let remaining = state.update { state in
            if state.remaining == nil { state.onExpiration = body }
            return state.remaining
        }
        if let remaining { Task { @MainActor in body(remaining) } }
    }

    private func finish(_ end: End) { state.update { if $0.end == nil { $0.end = end } } }
}

/// A fake host of widgets, which records which of them a plugin or an extension has hidden.
///
/// ```swift
/// let bench = try TestBundleContext(of: StocksBundle.self)
/// try await bench.context.widgets.setHasContent(false, for: "com.example.app.stocks.widget")
/// #expect(bench.widgets.hidden == ["com.example.app.stocks.widget"])
/// ```
public final class FakeWidgets: Sendable {
    private let extensions: Set<BundleIdentifier>
    private let state = Mutex<Set<BundleIdentifier>>([])

    /// Creates a host of the extensions of a manifest.
    public init(_ manifest: Manifest) {
        extensions = Set(manifest.extensions.map(\.identifier))
    }

    /// The hidden widgets.
    public var hidden: Set<BundleIdentifier> { state.withLock { $0 } }

    /// The controller of these widgets.
    public var controller: WidgetController {
        WidgetController { [self] hasContent, identifier in
            guard extensions.contains(identifier) else { throw AtriumError(.extensionUndeclared, identifier) }
            state.withLock { hidden in
                if hasContent { hidden.remove(identifier) } else { hidden.insert(identifier) }
            }
        }
    }
}
