import HostSystem
public import PluginCore

/// The event bus, which delivers events to the observers of all bundles.
public struct EventExchange: EventBus, HostReference {
    /// A closure that logs an error of an observer, given the identifier of its bundle and a message.
    public typealias Log = @Sendable (String, String) -> Void

    private let ports: RouterPorts
    private let log: Log
    /// The lease of the bundle that posts and observes events.
    private var lease: Lease

    /// Creates the event bus of a host.
    ///
    /// - Parameters:
    ///   - ports: What the host provides. Each observer has the host's deadline.
    ///   - log: Logs the errors of observers.
    public init(_ ports: RouterPorts, log: @escaping Log) {
        self.ports = ports
        self.log = log
        lease = ports.hostLease
    }

    /// Returns the event bus for one bundle, whose observers are registered under the bundle's lease.
    public func leased(to lease: Lease) -> any EventBus {
        var bus = self
        bus.lease = lease
        return bus
    }

    /// Calls the observers of an event one after the other, each within the deadline.
    ///
    /// An event that leads back to itself without end is no longer delivered, and the log says so.
    public func post(_ name: String, _ payload: any Sendable) async {
        // A bundle that was unloaded posts no more events.
        if lease.isClosed { return }
        let hearing = ports.registrationStore.load().observers.filter { $0.event == name }
        if hearing.isEmpty { return }
        do {
            let chain = try RequestChain.pushing(.event(name), for: .plugin(lease.owner))
            await chain.run { for observer in hearing { await call(observer, payload) } }
        } catch {
            log(lease.owner, "posting \(name): \(error)")
        }
    }

    private func call(_ observer: Observer, _ payload: any Sendable) async {
        // An observer that is canceled during the delivery is not called anymore.
        let observers = ports.registrationStore.load().observers
        guard observers.contains(where: { $0.identity === observer.identity }) else { return }
        do {
            try await observer.hear(payload, within: ports.deadline())
        } catch {
            log(observer.lease.owner, "observing \(observer.event): \(error)")
        }
    }

    /// Registers an observer after those of the same priority.
    public func observe(
        _ name: String, priority: Int, _ observer: @escaping @Sendable (any Sendable) async throws -> Void
    ) throws -> EventObservation {
        let observer = Observer(event: name, priority: priority, lease: lease, body: observer)
        try ports.registrationStore.update(under: lease) { registrations in
            let place = registrations.observers.firstIndex { $0.priority < priority }
            registrations.observers.insert(observer, at: place ?? registrations.observers.endIndex)
        }
        return EventObservation { [ports] in
            ports.registrationStore.remove { $0.observers.removeAll { $0.identity === observer.identity } }
        }
    }
}

/// A registered observer of an event.
struct Observer {
    final class Identity: Sendable {}

    let event: String
    let priority: Int
    let lease: Lease
    let body: @Sendable (any Sendable) async throws -> Void
    let identity = Identity()

    /// Delivers an event, unless the observer's bundle was unloaded.
    func hear(_ payload: any Sendable, within deadline: Deadline) async throws {
        guard lease.begin() else { return }
        defer { lease.end() }
        try await deadline.run(event, of: lease.owner) {
            try await lease.invoking(.event) { try await body(payload) }
        }
    }
}
