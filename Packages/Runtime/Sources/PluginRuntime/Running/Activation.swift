import Registry
import PluginCore
import PluginRouter

/// The error for a version that was cut off while it started, because another one has replaced it.
struct ActivationCanceled: Error {
    let bundle: PluginBundle
}

/// A bundle in this process, from the beginning of its load, and the callers that wait for the end of the load.
final class Activation {
    /// The version that is starting or active.
    let bundle: PluginBundle
    /// The lease that owns everything that the bundle registers.
    let lease: Lease
    private var result: Result<ActiveBundle, any Error>?
    /// The bundle, once its principal object has started.
    var started: ActiveBundle? { try? result?.get() }
    private var waiting: [CheckedContinuation<ActiveBundle, any Error>] = []

    init(of bundle: PluginBundle, watching watch: FirstCall.Watch? = nil) {
        self.bundle = bundle
        lease = Lease(of: bundle.identity, watching: watch)
    }

    /// The starts in which the current task runs, outermost first.
    @TaskLocal private static var underWay: [Start] = []

    private struct Start {
        let activation: ObjectIdentifier
        let bundle: BundleIdentifier
    }

    /// Runs a closure as part of starting the bundle.
    @MainActor
    func running<R: Sendable>(_ body: @MainActor () async throws -> R) async rethrows -> R {
        let start = Start(activation: ObjectIdentifier(self), bundle: bundle.identity.identifier)
        return try await Self.$underWay.withValue(Self.underWay + [start]) { try await body() }
    }

    /// A Boolean value that indicates whether the current task is part of this start, and the start hasn't ended.
    var isRunningHere: Bool {
        result == nil && Self.underWay.contains { $0.activation == ObjectIdentifier(self) }
    }

    /// Waits until the bundle is active, and returns it; the result is the same for all callers.
    ///
    /// - Throws: ``AtriumError`` with code `routeCycle` for a bundle that waits for itself while it starts, and the errors of the start.
    func active() async throws -> ActiveBundle {
        if let result { return try result.get() }
        if isRunningHere {
            let path =
                Self.underWay.drop { $0.activation != ObjectIdentifier(self) }.map(\.bundle.text)
                + [bundle.identity.identifier.text]
            throw AtriumError(
                .routeCycle, bundle.identity.identifier,
                reason: "startCycle", ["path": .list(path)],
                problems: path.map { .verbatim($0) }
            )
        }
        return try await withCheckedThrowingContinuation { waiting.append($0) }
    }

    /// Ends the start and resumes all waiting callers.
    func finish(_ result: Result<ActiveBundle, any Error>) {
        self.result = result
        for continuation in waiting { continuation.resume(with: result) }
        waiting = []
    }
}

/// A bundle whose principal object has started.
struct ActiveBundle: Sendable {
    let bundle: PluginBundle
    let principal: Principal
    let lease: Lease
    var lifecycle: BundleLifecycle
    /// The use of the plugin's data.
    let data: DataUse
    /// The process of the plugin, or nil for a plugin in this one.
    var process: (any PluginProcess)?

    /// Informs the observer of the calls that are still running and the pages that are still open.
    mutating func drain() {
        lifecycle.drain(calls: lease.calls, pages: lease.pages.count)
    }
}
