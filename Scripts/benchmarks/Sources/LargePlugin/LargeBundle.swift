internal import CLargeCode
internal import PluginCore

/// The one symbol the host looks up.
@c(plugin_entry_v1)
public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(LargeBundle.self) }

/// A plugin that has much code, and runs little of it.
final class LargeBundle: BundleDelegate {
    /// Kept, as plugins do: what has let go of its context has nothing open any more, and its host looks after that.
    private var context: BundleContext?

    init() {}

    func bundleDidLoad(_ context: BundleContext) async throws {
        self.context = context
    }

    func target(named name: String) -> ActionTarget? {
        guard name == "Large" else { return nil }
        return ActionTarget(name, actions: [Action("run") { _ in large_code(42) }])
    }
}
