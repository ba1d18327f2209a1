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

    /// A Boolean value that indicates whether who asks is what the bundle does while it starts.
    var isWaitingForItself: Bool {
        if case .starting(let start) = self { start.isRunningHere } else { false }
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

    init(of bundle: PluginBundle, watching watch: FirstCall.Watch? = nil) {
        self.bundle = bundle
        lease = Lease(of: bundle.identity, watching: watch)
    }

    /// The starts that the task works for, outermost first.
    @TaskLocal private static var underWay: [Mark] = []

    private struct Mark {
        let start: ObjectIdentifier
        let bundle: String
    }

    /// Runs `body` as what starts the bundle.
    func running<R>(_ body: () async throws -> R) async rethrows -> R {
        let mark = Mark(start: ObjectIdentifier(self), bundle: bundle.identity.identifier)
        return try await Self.$underWay.withValue(Self.underWay + [mark]) { try await body() }
    }

    /// A Boolean value that indicates whether the task is part of this start, which has not ended.
    var isRunningHere: Bool {
        result == nil && Self.underWay.contains { $0.start == ObjectIdentifier(self) }
    }

    /// What comes of it; the same for all who ask, before and after.
    ///
    /// - Throws: ``AtriumError`` with code `routeCycle` for a bundle that waits for itself while it starts, and what starting
    ///   throws.
    func outcome() async throws -> ActiveBundle {
        if let result { return try result.get() }
        if isRunningHere {
            let path =
                Self.underWay.drop { $0.start != ObjectIdentifier(self) }.map(\.bundle) + [bundle.identity.identifier]
            throw AtriumError(
                .routeCycle, bundle.identity.identifier,
                detail: "it starts, and waits for itself: \(path.joined(separator: " -> "))", problems: path
            )
        }
        return try await withCheckedThrowingContinuation { waiting.append($0) }
    }

    /// Tells everybody.
    func finish(_ result: Result<ActiveBundle, any Error>) {
        self.result = result
        for continuation in waiting { continuation.resume(with: result) }
        waiting = []
    }
}
