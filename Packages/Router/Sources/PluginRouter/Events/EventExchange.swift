public import PluginCore

/// The event bus of the host: delivers events to the observers of all bundles.
public final class EventExchange: Sendable {
    /// A closure that logs an error of an observer, given the identifier of its bundle and a message.
    public typealias Log = @Sendable (String, String) -> Void

    private let registrationStore: RegistrationStore
    private let log: Log
    private let deadline: Deadline

    /// Creates an exchange.
    ///
    /// - Parameters:
    ///   - registrationStore: The registrations of all bundles.
    ///   - deadline: The time limit for each observer.
    ///   - log: Logs the errors of observers.
    public init(
        registrationStore: RegistrationStore, deadline: Deadline = Deadline(RouterLimits.standard.handlerDeadline),
        log: @escaping Log
    ) {
        self.registrationStore = registrationStore
        self.deadline = deadline
        self.log = log
    }

    /// Returns the event bus for one bundle, whose observers are registered under the bundle's lease.
    public func leased(to lease: Lease) -> any EventBus {
        LeasedEvents(exchange: self, lease: lease)
    }
}

extension EventExchange {
    /// Calls the observers of an event one after the other, each within the deadline.
    ///
    /// An event that leads back to itself without end is no longer delivered, and the log says so.
    func post(_ name: String, _ payload: any Sendable, from owner: String) async {
        let hearing = registrationStore.load().observers.hearing(name)
        if hearing.isEmpty { return }
        let chain: RequestChain
        do {
            try PausableStopwatch.requireTime()
            chain = try RequestChain.pushing(.event(name), for: .plugin(owner))
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
        try registrationStore.update(under: observer.lease) { $0.observers.insert(observer) }
        let registrationStore = registrationStore
        return EventObservation {
            observer.cancel()
            registrationStore.remove { $0.observers.remove(observer) }
        }
    }
}

/// The event bus for one bundle.
struct LeasedEvents: EventBus {
    let exchange: EventExchange
    let lease: Lease

    func post(_ name: String, _ payload: any Sendable) async {
        // A bundle that was unloaded posts no more events.
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
    /// An empty mirror, because the exchange has the registrations of all bundles.
    var customMirror: Mirror { Mirror(self, children: []) }
}
