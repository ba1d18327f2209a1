import Registry
import HostSystem
import PluginCore
import PluginRouter

/// A replaced version whose principal object has ended, and whose lease stays until its last page is closed.
struct ReplacedVersion {
    let bundle: PluginBundle
    let lease: Lease
    private var lifecycle: BundleLifecycle
    private let why: BundleState.Retirement
    private let image: CodeImage?
    /// The process of the plugin, or nil for a plugin in this one. It ends after the version is retired.
    let process: (any PluginProcess)?
    /// The use of the plugin's data, until the version is retired.
    let data: DataUse
    /// Ends the version after a time, although it has pages that exist but aren't shown.
    var deadline: Task<Void, Never>?

    init(_ active: ActiveBundle, _ why: BundleState.Retirement) {
        self.why = why
        bundle = active.bundle
        lease = active.lease
        lifecycle = active.lifecycle
        process = active.process
        data = active.data
        // The pages of an isolated plugin are known to its lease, and their class is one of this process.
        image = process == nil ? CodeImage(of: active.principal.object) : nil
    }

    /// Returns the pages of the version: it has returned them, or it contains their classes and no other version has returned them.
    ///
    /// Two versions may share a library, so the class alone isn't sufficient.
    func own(_ pages: [any Page], besides others: [Lease]) -> [any Page] {
        pages.filter { page in
            if lease.pages.contains(page) { return true }
            guard let image, CodeImage(of: page) == image else { return false }
            return !others.contains { $0.pages.contains(page) }
        }
    }

    /// Closes the lease, so that the version can't make requests any longer.
    mutating func retire() {
        deadline?.cancel()
        lease.close()
        lifecycle.retire(why)
    }
}
