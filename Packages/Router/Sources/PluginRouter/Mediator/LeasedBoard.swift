public import PluginCore

/// Services and events as one bundle sees them.
public struct LeasedBoard: ServiceRegistry, EventBus {
    public init() {}

    public func provide(
        _ name: String, policy: ServicePolicy, make: @escaping @Sendable () async throws -> any Sendable
    ) async throws {
        throw AtriumError(.serviceConflict, name, detail: "services are not wired in")
    }

    public func service(named name: String) async throws -> any Sendable {
        throw AtriumError(.serviceUnknown, name)
    }

    public func post(_ name: String, _ payload: any Sendable) async {}

    public func observe(
        _ name: String, priority: Int, _ observer: @escaping @Sendable (any Sendable) async throws -> Void
    ) throws -> EventObservation {
        throw AtriumError(.bundleUnavailable, name, detail: "events are not wired in")
    }
}
