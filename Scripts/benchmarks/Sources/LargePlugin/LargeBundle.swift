internal import CLargeCode
internal import PluginCore

/// Returns the plugin's description; this is the only symbol that the host looks up.
@c(plugin_entry_v3)
public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(LargeBundle.self) }

/// A plugin with a large library of which little is executed.
final class LargeBundle: BundleDelegate {
    /// The context, which plugins keep, because releasing it would end their access to the host.
    private let context: BundleContext

    init(context: BundleContext) { self.context = context }

    static var targets: some TargetSet<LargeBundle> {
        Action(ActionContract<NoValue, Int>("run", on: "Large")) { _ in Int(large_code(42)) }
    }
}
