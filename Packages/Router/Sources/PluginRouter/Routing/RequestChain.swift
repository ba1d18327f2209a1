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

        /// A Boolean value that indicates whether it cannot be needed for itself: it is the same each time, and has no parameters or payload to differ in.
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
    /// Who has the address opened, or whose action it is; `nil` for everything else.
    private let origin: RequestOrigin?
    private let isOver = Atomic<Bool>(false)
    /// The calls that this address waits for and that have asked for it themselves.
    private let returned = Mutex<Set<Step>>([])

    private init(_ step: Step, by origin: RequestOrigin?, after before: RequestChain?) {
        self.step = step
        self.origin = origin
        self.before = before
        depth = (before?.depth ?? 0) + 1
        number = before?.number ?? Self.count.add(1, ordering: .relaxed).newValue
    }

    /// The chain of the task with one more request. Nothing is asked for yet: ``run(_:)`` does that.
    ///
    /// What has been served by now is not part of it, so that what a request leaves running may ask for the same again.
    ///
    /// - Parameter origin: who has the address opened, or whose action it is; `nil` for everything else.
    /// - Throws: ``AtriumError`` with code `chainTooLong`, or `routeCycle` for an address that is being served already, or a
    ///   service that is being made. A call may come back to itself, with other parameters, and so may an event.
    static func pushing(
        _ step: Step, by origin: RequestOrigin? = nil, limit: Int = RouterLimits.standard.chainDepth
    ) throws(AtriumError) -> RequestChain {
        var before = current
        while let link = before, link.isOver.load(ordering: .acquiring) { before = link.before }
        let chain = RequestChain(step, by: origin, after: before)
        if chain.depth > limit { throw chain.error(.chainTooLong) }
        if step.isUnique, let first = chain.first {
            chain.noteReturn(to: first)
            throw chain.error(.routeCycle)
        }
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

    /// Returns whether something is asked for that has led to what the task does, and is not over.
    static func isUnderWay(_ step: Step) -> Bool {
        current?.links.contains { $0.step == step && !$0.isOver.load(ordering: .acquiring) } ?? false
    }

    /// The same text for all requests of a chain, and for no other chain of this process.
    var id: String { String(number, radix: 36) }

    /// What was asked for, the first first.
    var path: [String] { links.reversed().map(\.step.text) }

    /// The one before it that asks for the same and is not over.
    private var first: RequestChain? {
        links.dropFirst().first { $0.step == step && !$0.isOver.load(ordering: .acquiring) }
    }

    /// Returns whether the latest request is for an address, and the call, which it waits for, has asked for that address itself.
    static func hasReturned(_ call: Step) -> Bool {
        current?.returned.withLock { $0.contains(call) } ?? false
    }

    /// Notes that the call which an address waits for has asked for it: the code of its own bundle, through nobody else's, or
    /// the host in its place. What others ask for on the way says nothing about the call.
    private func noteReturn(to address: RequestChain) {
        guard let origin, address.origin != nil else { return }
        let calls = links.dropFirst().prefix { $0 !== address }
        guard let call = calls.last, let owner = call.origin, origin == owner || origin == .host else { return }
        let areOwn = calls.allSatisfy { if case .call = $0.step { $0.origin == owner } else { false } }
        if areOwn { address.returned.withLock { _ = $0.insert(call.step) } }
    }

    /// This link and those before it.
    private var links: [RequestChain] {
        Array(sequence(first: self) { $0.before })
    }

    private func error(_ code: AtriumError.Code) -> AtriumError {
        AtriumError(code, step.text, detail: path.joined(separator: " -> "), problems: path)
    }
}
