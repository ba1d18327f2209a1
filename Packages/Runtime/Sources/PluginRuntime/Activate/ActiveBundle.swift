import PluginCore
import PluginRouter

/// A bundle whose principal object has started.
struct ActiveBundle: Sendable {
    let bundle: PluginBundle
    let principal: any BundleDelegate
    let lease: Lease
    var lifecycle: BundleLifecycle
}
