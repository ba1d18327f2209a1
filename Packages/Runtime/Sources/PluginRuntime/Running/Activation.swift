import HostSystem
import PluginCore
import PluginRouter
import Registry

/// A version in this process, from the beginning of its load until its last page is closed.
@MainActor
final class Activation {
    /// The version that is starting or active.
    let bundle: PluginBundle
    /// The lease that owns everything that the bundle registers.
    let lease: Lease
    /// The use of the plugin's data, until the version is retired.
    var data: DataUse?
    /// The process of the plugin, or nil for a plugin in this one. It ends after the version is retired.
    var process: (any PluginProcess)?
    /// The image of its code; nil for a plugin in another process, whose pages are known to its lease.
    var image: CodeImage?
    /// The reason why it is retired.
    var why = BundleState.Retirement.replaced
    /// Ends the version after a time, although it has pages that exist but aren't shown.
    var deadline: Task<Void, Never>?
    private var result: Result<Principal, any Error>?
    /// The callers that wait for the end of the load.
    private var waiting: [CheckedContinuation<Principal, any Error>] = []

    init(of bundle: PluginBundle, watching watch: FirstCall.Watch? = nil) {
        self.bundle = bundle
        lease = Lease(of: bundle.identity, watching: watch)
    }

    /// The starts in which the current task runs, outermost first.
    ///
    /// Only their identities, because a task that a bundle starts meanwhile keeps this value as long as it runs.
    @TaskLocal private static var underWay: [(activation: ObjectIdentifier, bundle: BundleIdentifier)] = []

    /// Runs a closure as part of starting the bundle.
    func running<R: Sendable>(_ body: @MainActor () async throws -> R) async rethrows -> R {
        let start = (ObjectIdentifier(self), bundle.identifier)
        return try await Self.$underWay.withValue(Self.underWay + [start]) { try await body() }
    }

    /// A Boolean value that indicates whether the current task is part of this start, and the start hasn't ended.
    var isRunningHere: Bool { result == nil && Self.underWay.contains { $0.activation == ObjectIdentifier(self) } }

    /// The principal object, from its start until it has been told about the end.
    var principal: Principal? { try? result?.get() }

    /// The state with the calls that are still running and the pages that are still open.
    var draining: BundleState { .draining(calls: lease.calls, pages: lease.pages.count) }

    /// Waits until the bundle is active, and returns its principal object; the result is the same for all callers.
    ///
    /// - Throws: ``AtriumError`` with code `routeCycle` for a bundle that waits for itself while it starts, and the errors of the start.
    func active() async throws -> Principal {
        if let result { return try result.get() }
        if isRunningHere {
            let others = Self.underWay.drop { $0.activation != ObjectIdentifier(self) }.map(\.bundle)
            let path = (others + [bundle.identifier]).map(\.text)
            throw AtriumError(
                .routeCycle, bundle.identifier,
                reason: "startCycle", ["path": .list(path)],
                problems: path.map { .verbatim($0) }
            )
        }
        return try await withCheckedThrowingContinuation { waiting.append($0) }
    }

    /// Ends the start and resumes all waiting callers.
    func finish(_ result: Result<Principal, any Error>) {
        self.result = result
        if case .failure = result { data = nil }
        for continuation in waiting { continuation.resume(with: result) }
        waiting = []
    }

    /// Releases the principal object, whose version has ended except for its pages.
    func releasePrincipal() { result = .failure(ActivationCanceled(bundle: bundle)) }
}

/// The error for a version that was cut off while it started, because another one has replaced it.
struct ActivationCanceled: Error {
    let bundle: PluginBundle
}
