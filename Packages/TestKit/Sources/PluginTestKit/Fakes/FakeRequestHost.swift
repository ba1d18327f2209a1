import ExtensionHost
public import PluginCore
public import PluginExtension
internal import Synchronization

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
