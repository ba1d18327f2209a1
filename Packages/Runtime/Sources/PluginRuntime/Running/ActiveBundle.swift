import Registry
import PluginCore
import PluginRouter

/// A bundle whose principal object has started.
struct ActiveBundle: Sendable {
    let bundle: PluginBundle
    let principal: Principal
    let lease: Lease
    var lifecycle: BundleLifecycle

    /// Informs the observer of the calls that are still running and the pages that are still open.
    mutating func drain() {
        lifecycle.drain(calls: lease.calls, pages: lease.pages.count)
    }
}
