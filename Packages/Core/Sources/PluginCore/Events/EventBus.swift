/// Tells those who want to know what has happened. Nobody is loaded for an event.
public protocol EventBus: Sendable {
    /// Calls the observers of an event one after the other: the higher priority first, and of equals who came first. What one
    /// of them throws is logged and keeps no other from hearing.
    ///
    /// - Returns: once all have heard.
    func post(_ name: String, _ payload: any Sendable) async

    /// Observes an event, under the lease of whose bus this is: when its bundle goes, it observes no more.
    ///
    /// - Parameters:
    ///   - name: which event.
    ///   - priority: the higher hears first.
    ///   - observer: gets the payload.
    /// - Returns: what ends it before that.
    /// - Throws: ``AtriumError`` with code `bundleUnavailable`.
    @discardableResult
    func observe(
        _ name: String, priority: Int, _ observer: @escaping @Sendable (any Sendable) async throws -> Void
    ) throws -> EventObservation
}

/// Something that can happen, with the type of what is told about it: a standard-library or Core type.
///
/// ```swift
/// extension Event where Payload == Int {
///     public static let orderPlaced = Event("Orders.placed")
/// }
/// await context.events.post(.orderPlaced, 42)
/// ```
public struct Event<Payload: Sendable>: Sendable {
    /// Its name, unique in the app: `Target.happened`.
    public let name: String

    /// Names an event.
    public init(_ name: String) {
        self.name = name
    }
}

/// What ends an observation.
public struct EventObservation: Sendable {
    private let end: @Sendable () -> Void

    /// Hosts and tests make one.
    public init(_ end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    /// Ends it; nothing happens when it has ended.
    public func cancel() { end() }
}

extension EventBus {
    /// Tells what has happened.
    public func post<Payload>(_ event: Event<Payload>, _ payload: Payload) async {
        await post(event.name, payload)
    }

    /// Observes an event. A payload of another type than the event's, which only another version of the Interface can have
    /// sent, reaches the observer's log as `parameterType` and not the observer.
    ///
    /// - Throws: as ``observe(_:priority:_:)``.
    @discardableResult
    public func observe<Payload>(
        _ event: Event<Payload>, priority: Int = 0, _ observer: @escaping @Sendable (Payload) async throws -> Void
    ) throws -> EventObservation {
        try observe(event.name, priority: priority) { payload in
            guard let typed = payload as? Payload else {
                throw AtriumError(
                    .parameterType, event.name, detail: "\(Payload.self) is needed, not \(type(of: payload))"
                )
            }
            try await observer(typed)
        }
    }
}
