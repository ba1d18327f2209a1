import PluginCore

/// A service that a bundle provides: how an instance is made, and for how long it is kept.
final class ProvidedService: Sendable {
    let name: String
    let lease: Lease
    private let policy: ServicePolicy
    private let make: @Sendable () async throws -> any Sendable
    private let shared = SharedInstance()

    init(
        _ name: String, policy: ServicePolicy, lease: Lease, make: @escaping @Sendable () async throws -> any Sendable
    ) {
        self.name = name
        self.policy = policy
        self.lease = lease
        self.make = make
    }

    /// An instance, for whose making there is so much time. The lease counts the call already.
    func instance(within deadline: Deadline) async throws -> any Sendable {
        let make: @Sendable () async throws -> any Sendable = { [self] in
            try await lease.naming("the service \(name)") {
                try await deadline.run(name, of: lease.owner) { [self] in
                    try await lease.trying(.service) { try await self.make() }
                }
            }
        }
        return switch policy {
        case .perCall: try await make()
        case .perBundle: try await shared.value(named: name, make)
        }
    }
}
