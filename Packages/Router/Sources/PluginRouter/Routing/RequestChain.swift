import PluginCore
internal import Synchronization

/// The requests that led to one another, up to the latest: a link that hangs on the task, and through it on every task
/// that serves the request.
///
/// ```swift
/// let chain = try RequestChain.pushing(.call("Shop.price"))
/// return try await chain.run { try await action.body(parameters) }
/// ```
final class RequestChain: Sendable {
    /// The request that the task works for; `nil` outside of all.
    @TaskLocal static var current: RequestChain?

    /// Something that was asked for.
    enum Step: Hashable, Sendable {
        /// An address, as text.
        case address(String)
        /// An action, as `Target.action`.
        case call(String)
        /// A service that is made, by name.
        case service(String)
        /// An event that is told, by name.
        case event(String)

        var text: String {
            switch self {
            case .address(let text), .call(let text), .service(let text), .event(let text): text
            }
        }

        /// Whether it can not be needed for itself: it is the same each time, and has no parameters or payload to differ in.
        var isUnique: Bool {
            switch self {
            case .address, .service: true
            case .call, .event: false
            }
        }
    }

    private static let count = Atomic<UInt64>(0)

    /// What was asked for.
    let step: Step
    /// How many requests there are, this one included.
    let depth: Int
    private let number: UInt64
    private let before: RequestChain?
    private let isOver = Atomic<Bool>(false)

    private init(_ step: Step, after before: RequestChain?) {
        self.step = step
        self.before = before
        depth = (before?.depth ?? 0) + 1
        number = before?.number ?? Self.count.add(1, ordering: .relaxed).newValue
    }

    /// The chain of the task with one more request. Nothing is asked for yet: ``run(_:)`` does that.
    ///
    /// What has been served by now is not part of it, so that what a request leaves running may ask for the same again.
    ///
    /// - Throws: ``AtriumError`` with code `chainTooLong`, or `routeCycle` for an address that is being served already, or a
    ///   service that is being made. A call may come back to itself, with other parameters, and so may an event.
    static func pushing(
        _ step: Step, limit: Int = RouterLimits.standard.chainDepth
    ) throws(AtriumError) -> RequestChain {
        var before = current
        while let link = before, link.isOver.load(ordering: .acquiring) { before = link.before }
        let chain = RequestChain(step, after: before)
        if chain.depth > limit { throw chain.error(.chainTooLong) }
        if step.isUnique, chain.isCycle { throw chain.error(.routeCycle) }
        return chain
    }

    /// Runs `body` as what serves the request, where the caller runs.
    @inline(__always)
    func run<R>(isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R) async rethrows -> R {
        defer { isOver.store(true, ordering: .releasing) }
        return try await Self.$current.withValue(self) {
            // A closure that captures the isolation stays there; another would hop to a thread of the pool, and back.
            _ = isolation
            return try await body()
        }
    }

    /// Whether something is asked for that has led to what the task does, and is not over.
    static func isUnderWay(_ step: Step) -> Bool {
        current?.links.contains { $0.step == step && !$0.isOver.load(ordering: .acquiring) } ?? false
    }

    /// The same text for all requests of a chain, and for no other chain of this process.
    var id: String { String(number, radix: 36) }

    /// What was asked for, the first first.
    var path: [String] { links.reversed().map(\.step.text) }

    private var isCycle: Bool {
        links.dropFirst().contains { $0.step == step && !$0.isOver.load(ordering: .acquiring) }
    }

    /// This link and those before it.
    private var links: [RequestChain] {
        Array(sequence(first: self) { $0.before })
    }

    private func error(_ code: AtriumError.Code) -> AtriumError {
        AtriumError(code, step.text, detail: path.joined(separator: " -> "), problems: path)
    }
}
