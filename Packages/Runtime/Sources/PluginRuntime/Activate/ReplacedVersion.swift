import PluginCore
import PluginRouter

/// A version that has ended but for its lease, which ends with its last page. Its principal has gone.
struct ReplacedVersion {
    let bundle: PluginBundle
    let lease: Lease
    private var lifecycle: BundleLifecycle
    private let why: BundleState.Retirement
    private let image: CodeImage?
    /// Ends it although pages of it live that are not shown.
    var deadline: Task<Void, Never>?

    init(_ active: ActiveBundle, _ why: BundleState.Retirement) {
        self.why = why
        bundle = active.bundle
        lease = active.lease
        lifecycle = active.lifecycle
        image = CodeImage(of: active.principal)
    }

    /// Those pages that are the version's: it has handed them out, or their class is its own and nobody else has. Two versions
    /// may have one library, so the class alone tells nothing against who has handed the page out.
    func own(_ pages: [any Page], besides others: [Lease]) -> [any Page] {
        pages.filter { page in
            if lease.pages.contains(page) { return true }
            guard let image, CodeImage(of: page) == image else { return false }
            return !others.contains { $0.pages.contains(page) }
        }
    }

    /// Lets nothing out of it any more.
    mutating func retire() {
        deadline?.cancel()
        lease.close()
        lifecycle.retire(why)
    }
}
