import PluginCore
import PluginRouter

/// A bundle whose principal object has started.
struct ActiveBundle: Sendable {
    let bundle: PluginBundle
    let principal: any BundleDelegate
    let lease: Lease
    var lifecycle: BundleLifecycle

    /// Tells what of it has not come to its end yet.
    mutating func drain() {
        lifecycle.drain(calls: lease.calls, pages: lease.pages.count)
    }
}
