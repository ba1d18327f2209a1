internal import CLargeCode
internal import PluginCore

/// Returns the plugin's description; this is the only symbol that the host looks up.
@c(plugin_entry_v1)
public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(LargeBundle.self) }

/// A plugin with a large library of which little is executed.
final class LargeBundle: BundleDelegate {
    /// The context, which plugins keep, because releasing it would end their access to the host.
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
