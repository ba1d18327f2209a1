public import PluginCore
internal import Synchronization

/// Tells events to those who observe them.
public final class EventExchange: Sendable {
    /// Takes what an observer threw: the identifier of its bundle, and a message.
    public typealias Log = @Sendable (String, String) -> Void

    private let board: LeaseBoard
    private let log: Log
    private let deadline: Mutex<Deadline>

    /// Puts an exchange together.
    ///
    /// - Parameters:
    ///   - board: where bundles register what they observe.
    ///   - deadline: how long each observer may take.
    ///   - log: takes what observers throw.
    public init(
        board: LeaseBoard, deadline: Deadline = Deadline(RouterLimits.standard.handlerDeadline), log: @escaping Log
    ) {
        self.board = board
        self.deadline = Mutex(deadline)
        self.log = log
    }

    /// Gives each observer so much time from now on.
    public func limit(to deadline: Deadline) {
        self.deadline.withLock { $0 = deadline }
    }

    /// The events as one bundle sees them: what it observes is held by the lease.
    public func leased(to lease: Lease) -> any EventBus {
        LeasedEvents(exchange: self, lease: lease)
    }
}

extension EventExchange {
    /// Tells all who observe an event now, one after the other; who takes too long is not waited for. One that leads back to
    /// itself for ever is told to nobody any more, which the log hears of.
    func post(_ name: String, _ payload: any Sendable, from owner: String) async {
        let hearing = board.load().observers.hearing(name)
        if hearing.isEmpty { return }
        let deadline = deadline.withLock { $0 }
        let chain: RequestChain
        do {
            try Stopwatch.requireTime()
            chain = try RequestChain.pushing(.event(name))
        } catch {
            return log(owner, "posting \(name): \(error)")
        }
        await chain.run {
            for observer in hearing {
                do {
                    try await observer.hear(payload, within: deadline)
                } catch {
                    log(observer.lease.owner, "observing \(name): \(error)")
                }
            }
        }
    }

    func observe(_ observer: Observer) throws(AtriumError) -> EventObservation {
        try board.update(under: observer.lease) { $0.observers.insert(observer) }
        let board = board
        return EventObservation {
            observer.cancel()
            board.remove { $0.observers.remove(observer) }
        }
    }
}

/// The events as one bundle sees them.
struct LeasedEvents: EventBus {
    let exchange: EventExchange
    let lease: Lease

    func post(_ name: String, _ payload: any Sendable) async {
        // What has gone has nothing to tell.
        if lease.isClosed { return }
        await exchange.post(name, payload, from: lease.owner)
    }

    func observe(
        _ name: String, priority: Int, _ observer: @escaping @Sendable (any Sendable) async throws -> Void
    ) throws -> EventObservation {
        try exchange.observe(Observer(name, priority: priority, lease: lease, observer))
    }
}

extension LeasedEvents: CustomReflectable {
    /// Nothing: behind it stands what every bundle has registered.
    var customMirror: Mirror { Mirror(self, children: []) }
}
