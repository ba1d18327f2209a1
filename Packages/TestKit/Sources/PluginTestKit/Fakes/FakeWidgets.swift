public import PluginCore
internal import Synchronization

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
