/// The declaration of a service that its users and its provider share: the name and the type of an instance.
///
/// ```swift
/// public enum GreetingServices {
///     public static let greeter = ServiceContract<@Sendable (String) async -> String>("Greeting")
/// }
///
/// let greet = try await context.services.service(GreetingServices.greeter)
/// ```
///
/// The type is a standard-library or Core type, most often a closure, for the reason that ``ServiceRegistry`` gives.
public struct ServiceContract<Value: Sendable>: Sendable {
    /// The name of the service.
    public let name: String

    /// Creates a contract.
    public init(_ name: String) {
        self.name = name
    }
}

extension ServiceRegistry {
    /// Returns an instance of a contract's service. Its bundle is first loaded, and also installed if only the catalog has it.
    ///
    /// - Throws: The errors of ``service(_:as:)``.
    public func service<Value>(_ contract: ServiceContract<Value>) async throws -> Value {
        try await service(contract.name, as: Value.self)
    }
}

/// A registry of services by name, whichever bundle provides them.
///
/// A service is a standard-library or Core value, most often an ``ActionTarget`` or a closure. It cannot be an instance of a protocol from
/// an Interface target, because each caller has its own copy of that protocol. Interface targets declare the type of an instance as a
/// ``ServiceContract``.
public protocol ServiceRegistry: Sendable {
    /// Provides a service, which is removed when this registry's bundle is unloaded.
    ///
    /// - Parameters:
    ///   - name: The name of the service. One that the manifest declares is found before its bundle is loaded.
    ///   - policy: The lifetime of an instance.
    ///   - make: Creates an instance.
    /// - Throws: ``AtriumError`` with code `serviceConflict` or `bundleUnavailable`.
    func provide(
        _ name: String, policy: ServicePolicy, make: @escaping @Sendable () async throws -> any Sendable
    ) async throws

    /// Returns an instance of a service. Its bundle is first loaded, and also installed if only the catalog has it.
    ///
    /// - Throws: ``AtriumError`` with code `serviceUnknown` (with suggestions) or `bundleUnavailable`, and the errors of creating the
    ///   instance.
    func service(named name: String) async throws -> any Sendable
}

/// The lifetime of a service instance.
@frozen
public enum ServicePolicy: String, Hashable, Sendable, CaseIterable {
    /// Each caller gets a new instance.
    case perCall
    /// All callers share one instance, created on first use and released when its bundle is unloaded.
    case perBundle
}

extension ServiceRegistry {
    /// Returns an instance of a service as a given type.
    ///
    /// - Throws: The errors of ``service(named:)``, and `resultType` for an instance of another type.
    public func service<S>(_ name: String, as type: S.Type = S.self) async throws -> S {
        try OutputCoding.cast(await service(named: name), name)
    }
}

/// A bus on which bundles post and observe events. An event never loads a bundle.
public protocol EventBus: Sendable {
    /// Posts an event and waits until all observers have handled it.
    ///
    /// Observers run one after the other: the highest priority first, and those of equal priority in the order of registration. An error
    /// that one of them throws is logged and does not stop the others.
    func post(_ name: String, _ payload: any Sendable) async

    /// Registers an observer, which is removed when this bus's bundle is unloaded.
    ///
    /// - Parameters:
    ///   - name: The name of the event.
    ///   - priority: Observers with a higher priority run first.
    ///   - observer: Receives the payload.
    /// - Returns: An observation that can be canceled earlier.
    /// - Throws: ``AtriumError`` with code `bundleUnavailable`.
    @discardableResult
    func observe(
        _ name: String, priority: Int, _ observer: @escaping @Sendable (any Sendable) async throws -> Void
    ) throws -> EventObservation
}

/// An event with the type of its payload, a standard-library or Core type.
///
/// ```swift
/// extension Event where Payload == Int {
///     public static let orderPlaced = Event("Orders.placed")
/// }
/// await context.events.post(.orderPlaced, 42)
/// ```
public struct Event<Payload: Sendable>: Sendable {
    /// The name, unique in the app, by convention the target and a past participle.
    public let name: String

    /// Creates an event with a name.
    public init(_ name: String) {
        self.name = name
    }
}

/// A registered observer, which can be canceled.
public struct EventObservation: Sendable {
    private let end: @Sendable () -> Void

    /// Creates an observation. Hosts and tests call this.
    public init(_ end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    /// Cancels the observation. Further calls have no effect.
    public func cancel() { end() }
}

extension EventBus {
    /// Posts an event and waits until all observers have handled it.
    public func post<Payload>(_ event: Event<Payload>, _ payload: Payload) async {
        await post(event.name, payload)
    }

    /// Registers an observer, which is removed when this bus's bundle is unloaded.
    ///
    /// A payload of another type, which only another version of the Interface can post, is logged as `parameterType` and not passed to the
    /// observer.
    ///
    /// - Throws: The errors of ``observe(_:priority:_:)``.
    @discardableResult
    public func observe<Payload>(
        _ event: Event<Payload>, priority: Int = 0, _ observer: @escaping @Sendable (Payload) async throws -> Void
    ) throws -> EventObservation {
        try observe(event.name, priority: priority) { payload in
            guard let typed = payload as? Payload else {
                throw AtriumError(.parameterType, event.name, reason: .type(Payload.self, found: type(of: payload)))
            }
            try await observer(typed)
        }
    }
}

/// An event that a plugin posts, as its code declares it.
public struct EventDeclaration: Hashable, Sendable, Codable {
    /// The name.
    public let name: String
    /// The type of the payload, as Swift spells it.
    public let payload: String

    /// Creates a declaration.
    public init(name: String, payload: String) {
        self.name = name
        self.payload = payload
    }
}

extension Event {
    /// The event as a plugin declares it.
    public var declaration: EventDeclaration { EventDeclaration(name: name, payload: "\(Payload.self)") }
}
