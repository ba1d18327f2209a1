import HostSystem
import PluginCore
import Synchronization

/// The chain of requests that led to the current one. It is a task-local value, so tasks that handle the request inherit it.
///
/// ```swift
/// let chain = try RequestChain.pushing(.call("Shop.price"))
/// return try await chain.run { try await action.body(parameters) }
/// ```
final class RequestChain: Sendable {
    /// The latest request of the current task, or nil outside of all requests.
    @TaskLocal static var current: RequestChain?

    /// A request in the chain: opening an address, calling an action, creating an instance of a service, or delivering an event.
    struct Step: Hashable {
        /// The kind of work in a trace.
        fileprivate let category: TraceCategory
        /// The address, the target and the action, or the name.
        let text: String

        static func address(_ text: String) -> Step { Step(category: .route, text: text) }
        static func call(_ text: String) -> Step { Step(category: .action, text: text) }
        static func service(_ text: String) -> Step { Step(category: .service, text: text) }
        static func event(_ text: String) -> Step { Step(category: .event, text: text) }
    }

    private static let count = Atomic<UInt64>(0)

    /// The request itself.
    let step: Step
    /// The number of requests in the chain, including this one.
    let depth: Int
    /// A number that all requests of a chain share, unique in this process.
    let number: UInt64
    private let before: RequestChain?
    /// The caller that opens the address, or the owner of the action, or nil for other steps.
    private let origin: RequestOrigin?
    /// The caller, or nil if it is unknown.
    private let caller: RequestOrigin?
    private let isOver = Atomic<Bool>(false)
    /// The calls that this address waits for and that have opened the address themselves.
    private let returned = Mutex<Set<Step>>([])

    private init(_ step: Step, by origin: RequestOrigin?, for caller: RequestOrigin?, after before: RequestChain?) {
        self.step = step
        self.origin = origin
        self.caller = caller
        self.before = before
        depth = (before?.depth ?? 0) + 1
        number = before?.number ?? Self.count.add(1, ordering: .relaxed).newValue
    }

    /// Returns the current task's chain with one more request, without running it.
    ///
    /// Requests that have ended are not part of the chain, so a task that outlives its request may make the same request again.
    ///
    /// - Parameters:
    ///   - origin: The caller that opens the address, or the owner of the action, or `nil` for other steps.
    ///   - caller: The caller of any step, which traces show and which may be outside of the app.
    /// - Throws: ``AtriumError`` with code `deadlineExceeded`, `chainTooLong`, or `routeCycle` for an address or service that is already in
    ///   the chain. Calls and events may occur repeatedly, because their parameters may differ.
    static func pushing(
        _ step: Step, by origin: RequestOrigin? = nil, for caller: RequestOrigin? = nil,
        limit: Int = RouterLimits.standard.chainDepth
    ) throws(AtriumError) -> RequestChain {
        try PausableStopwatch.requireTime()
        var before = current
        while let link = before, link.isOver.load(ordering: .acquiring) { before = link.before }
        let chain = RequestChain(step, by: origin, for: caller, after: before)
        if chain.depth > limit { throw chain.error(.chainTooLong) }
        // An address or a service must not cause itself, because it has no parameters that could differ.
        if step.category == .route || step.category == .service, let first = before?.open(step) {
            chain.noteReturn(to: first)
            throw chain.error(.routeCycle)
        }
        return chain
    }

    /// Runs a closure as the handler of the request, in the isolation of the caller.
    @inline(__always)
    func run<R>(isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R) async rethrows -> R {
        let interval = Tracing.begin(step.category, step.text, track: number, caller: caller?.description)
        defer {
            isOver.store(true, ordering: .releasing)
            interval?.end()
        }
        return try await Self.$current.withValue(self) {
            // Capturing the isolation keeps the closure on its actor. Otherwise it would switch to a pool thread and back.
            _ = isolation
            return try await body()
        }
    }

    /// Returns whether the current task was caused by a request that has not ended.
    static func isUnderWay(_ step: Step) -> Bool { current?.open(step) != nil }

    /// Returns the latest request for the same thing that has not ended.
    private func open(_ step: Step) -> RequestChain? {
        links.first { $0.step == step && !$0.isOver.load(ordering: .acquiring) }
    }

    /// Returns whether a link from outside of the app or an extension has led to the current request.
    static var isFromOutside: Bool {
        current?.links.contains { $0.caller?.isOutside ?? false } ?? false
    }

    /// The requests in the order in which they led to one another.
    var path: [String] { links.reversed().map(\.step.text) }

    /// Returns whether the current address waits for a call that has opened the address itself.
    static func hasReturned(_ call: Step) -> Bool {
        current?.returned.withLock { $0.contains(call) } ?? false
    }

    /// Records that the call that an address waits for has opened the same address itself.
    ///
    /// This counts only if the call's own bundle opened it without involving others, or the host on its behalf. Requests of other bundles
    /// on the way say nothing about the call.
    private func noteReturn(to address: RequestChain) {
        guard let origin, address.origin != nil else { return }
        let calls = links.dropFirst().prefix { $0 !== address }
        guard let call = calls.last, let owner = call.origin, origin == owner || origin == .host else { return }
        let areOwn = calls.allSatisfy { $0.step.category == .action && $0.origin == owner }
        if areOwn { address.returned.withLock { _ = $0.insert(call.step) } }
    }

    /// This request and all before it, latest first.
    private var links: [RequestChain] {
        Array(sequence(first: self) { $0.before })
    }

    private func error(_ code: AtriumError.Code) -> AtriumError {
        AtriumError(code, step.text, reason: "chain", ["path": .list(path)], problems: path.map { .verbatim($0) })
    }
}

extension RequestOrigin {
    /// A Boolean value that indicates whether the caller is an extension, or a link from outside the app.
    var isOutside: Bool {
        switch self {
        case .host, .plugin: false
        case .external, .extension: true
        @unknown default: true
        }
    }
}
