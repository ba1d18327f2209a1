import PluginCore

/// A service that a bundle provides.
final class ProvidedService: Sendable {
    let name: String
    let lease: Lease
    /// A Boolean value that indicates whether the name belongs to the provider: to the host, or by the bundle's manifest.
    let isDeclared: Bool
    private let policy: ServicePolicy
    private let make: @Sendable () async throws -> any Sendable
    private let shared = SharedInstance()

    init(
        _ name: String, policy: ServicePolicy, lease: Lease, isDeclared: Bool,
        make: @escaping @Sendable () async throws -> any Sendable
    ) {
        self.isDeclared = isDeclared
        self.name = name
        self.policy = policy
        self.lease = lease
        self.make = make
    }

    /// Returns an instance within a deadline. The caller must already have registered the call with the lease.
    func instance(within deadline: Deadline) async throws -> any Sendable {
        let make: @Sendable () async throws -> any Sendable = { [self] in
            try await lease.naming("the service \(name)") {
                try await deadline.run(name, of: lease.owner) { [self] in
                    try await lease.invoking(.service) { try await self.make() }
                }
            }
        }
        return switch policy {
        case .perCall: try await make()
        case .perBundle: try await shared.value(named: name, make)
        }
    }
}
