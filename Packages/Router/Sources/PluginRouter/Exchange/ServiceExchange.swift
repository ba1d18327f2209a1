import HostSystem
public import PluginCore
import Synchronization

/// The service registry, which finds the bundle that provides a service and loads it on first use.
public struct ServiceExchange: ServiceRegistry, HostReference {
    private let ports: RouterPorts
    /// The lease of the bundle that provides and uses services.
    private var lease: Lease

    /// Creates the service registry of a host. Creating an instance has the host's deadline.
    public init(_ ports: RouterPorts) {
        self.ports = ports
        lease = ports.hostLease
    }

    /// Returns the service registry for one bundle, whose services are registered under the bundle's lease.
    public func leased(to lease: Lease) -> any ServiceRegistry {
        var registry = self
        registry.lease = lease
        return registry
    }

    /// Provides a service of the host. If there is already one with that name, this has no effect.
    public func provide(
        _ name: String, policy: ServicePolicy, under lease: Lease,
        make: @escaping @Sendable () async throws -> any Sendable
    ) {
        try? insert(ProvidedService(name: name, policy: policy, lease: lease, isDeclared: true, make: make))
    }

    /// Registers a service of the bundle.
    public func provide(
        _ name: String, policy: ServicePolicy, make: @escaping @Sendable () async throws -> any Sendable
    ) async throws {
        let declaring = try await ports.bundles.owner(ofService: name)
        if let declaring, declaring != lease.owner {
            throw AtriumError.serviceConflict(name, lease.owner, declaring)
        }
        try insert(
            ProvidedService(name: name, policy: policy, lease: lease, isDeclared: declaring != nil, make: make))
    }

    /// Adds a service to the registrations.
    ///
    /// - Throws: ``AtriumError`` with code `serviceConflict` if there is already one with that name.
    private func insert(_ service: ProvidedService) throws(AtriumError) {
        try ports.registrationStore.update(under: service.lease) { registrations throws(AtriumError) in
            // Code that took the name before its owner was loaded loses it.
            if let other = registrations.services[service.name], other.isDeclared || !service.isDeclared {
                throw .serviceConflict(service.name, service.lease.owner, other.lease.owner)
            }
            registrations.services[service.name] = service
        }
    }

    /// Returns an instance of a service.
    public func service(named name: String) async throws -> any Sendable {
        try lease.requireOpen()
        if let instance = try await instance(of: name, isDeclared: true) { return instance }
        if let owner = try await ports.bundles.owner(ofService: name) {
            return try await instance(of: name, loading: owner)
        }
        if let provider = ports.onDemandProvider, let owner = try await provider.providingBundle(ofService: name) {
            return try await provider.withOnDemandInstall(owner) {
                try await self.instance(of: name, loading: owner)
            }
        }
        // A name that no manifest has belongs to its provider.
        if let instance = try await instance(of: name, isDeclared: false) { return instance }
        let known = Set(try await ports.bundles.serviceNames()).union(ports.registrationStore.load().services.keys)
        throw AtriumError(.serviceUnknown, name, nearest: Nearest.words(to: name, in: known.sorted()))
    }

    /// Returns an instance of a registered service, or `nil` if there is none.
    private func instance(of name: String, isDeclared: Bool) async throws -> (any Sendable)? {
        // If the lease is revoked, the bundle is being unloaded, and its service is removed with it.
        guard let service = ports.registrationStore.load().services[name], service.isDeclared == isDeclared,
            service.lease.begin()
        else { return nil }
        defer { service.lease.end() }
        let chain = try RequestChain.pushing(.service(name))
        let instance: any Sendable = try await chain.run { try await service.instance(within: ports.deadline()) }
        return instance
    }

    private func instance(of name: String, loading owner: String) async throws -> any Sendable {
        _ = try await ports.bundles.loaded(owner)
        if let instance = try await instance(of: name, isDeclared: true) { return instance }
        throw AtriumError(.serviceUnknown, name, reason: .declaredOnly(owner))
    }
}

extension AtriumError {
    /// Returns the error for a second service with the same name.
    static func serviceConflict(_ name: String, _ owner: String, _ other: String) -> Self {
        Self(
            .serviceConflict, name,
            reason: owner == other ? "providedTwice" : "bothProvide", ["owner": .text(owner), "other": .text(other)]
        )
    }
}

/// A service that a bundle provides.
struct ProvidedService {
    let name: String
    let policy: ServicePolicy
    let lease: Lease
    /// A Boolean value that indicates whether the name belongs to the provider: to the host, or by the bundle's manifest.
    let isDeclared: Bool
    let make: @Sendable () async throws -> any Sendable
    let shared = SharedInstance()

    /// Returns an instance within a deadline. The caller must already have registered the call with the lease.
    func instance(within deadline: Deadline) async throws -> any Sendable {
        let make: @Sendable () async throws -> any Sendable = {
            try await lease.naming("the service \(name)") {
                try await deadline.run(name, of: lease.owner) {
                    try await lease.invoking(.service) { try await self.make() }
                }
            }
        }
        return switch policy {
        case .perCall: try await make()
        case .perBundle: try await shared.value(make)
        }
    }
}

/// An instance that is created once, by its first caller. Other callers wait for it.
final class SharedInstance: Sendable {
    /// The creation, or nil if nobody has tried since the last failure.
    private let creation = Mutex<Task<any Sendable, any Error>?>(nil)

    /// Returns the instance, creating it if necessary. It must not require itself, which the chain of requests finds out.
    ///
    /// - Throws: The errors of `make`, after which the next caller tries again.
    func value(_ make: @escaping @Sendable () async throws -> any Sendable) async throws -> any Sendable {
        // The creation does not end with its caller, because others may wait for it.
        let task = creation.withLock { creation in
            let task = creation ?? Task { try await make() }
            creation = task
            return task
        }
        do {
            return try await task.value
        } catch {
            creation.withLock { if $0 == task { $0 = nil } }
            throw error
        }
    }
}
