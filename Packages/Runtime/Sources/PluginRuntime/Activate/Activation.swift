import PluginCore
import PluginRouter

/// How far a bundle is on its way into the process.
enum Activation {
    /// Somebody is loading it.
    case starting(BundleStart)
    /// Its principal object has started.
    case active(ActiveBundle)

    /// Which version.
    var bundle: PluginBundle {
        switch self {
        case .starting(let start): start.bundle
        case .active(let active): active.bundle
        }
    }

    /// What all that it registers is under.
    var lease: Lease {
        switch self {
        case .starting(let start): start.lease
        case .active(let active): active.lease
        }
    }

    /// The active bundle, once it is.
    func active() async throws -> ActiveBundle {
        switch self {
        case .starting(let start): try await start.outcome()
        case .active(let active): active
        }
    }
}

/// A load that is under way, and who waits for it.
final class BundleStart {
    /// The bundle was cut off while it started.
    struct CutOff: Error {
        let bundle: PluginBundle
    }

    /// Which version.
    let bundle: PluginBundle
    /// What all that it registers is under.
    let lease: Lease
    private var result: Result<ActiveBundle, any Error>?
    private var waiting: [CheckedContinuation<ActiveBundle, any Error>] = []

    init(of bundle: PluginBundle) {
        self.bundle = bundle
        lease = Lease(owner: bundle.identity.identifier)
    }

    /// What comes of it; the same for all who ask, before and after.
    func outcome() async throws -> ActiveBundle {
        if let result { return try result.get() }
        return try await withCheckedThrowingContinuation { waiting.append($0) }
    }

    /// Tells everybody.
    func finish(_ result: Result<ActiveBundle, any Error>) {
        self.result = result
        for continuation in waiting { continuation.resume(with: result) }
        waiting = []
    }
}
