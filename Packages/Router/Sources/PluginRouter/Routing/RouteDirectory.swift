public import PluginCore

/// Where the routes of manifests are kept. The router asks it for the few that can match and never for all, so a
/// directory of a hundred thousand routes costs no more than one of ten.
public protocol RouteDirectory: Sendable {
    /// The routes whose pattern has one of these heads (``RoutePattern/heads``), each once, in any order.
    func routes(withHeads heads: [String]) async throws -> [Route]

    /// The routes that match an address, in the order in which they are asked. Every request comes here, so who keeps many
    /// routes under one head keeps a ``RouteList`` of them.
    func matches(for uri: ResourceURI) async throws -> [RouteMatch]

    /// All patterns, for telling what an unknown address may have meant.
    func patterns() async throws -> [String]
}

extension RouteDirectory {
    /// Tries all routes that have a head of the address.
    public func matches(for uri: ResourceURI) async throws -> [RouteMatch] {
        RouteList(try await routes(withHeads: RoutePattern.heads(matching: uri))).matches(for: uri)
    }
}

/// Where bundles come from that are not installed yet.
public protocol BundleSupply: Sendable {
    /// The identifier of a bundle that would serve an address for certain (``RouteQuery/isServed(by:)``), or `nil`. Not one
    /// of which is known already that it cannot be installed: asking whether an address can be opened ends here.
    func supplier(ofRoute query: RouteQuery) async throws -> String?

    /// Why a bundle that would serve an address cannot be installed, when no other one can; `nil` when none would serve it.
    func refusal(ofRoute query: RouteQuery) async throws -> AtriumError?

    /// What the manifest of a bundle that would bring a target declares of it, or `nil`.
    func supplier(ofTarget name: String) async throws -> TargetListing?

    /// The identifier of a bundle that would bring a service, or `nil`.
    func supplier(ofService name: String) async throws -> String?

    /// The patterns it could supply; throws when it cannot know them now.
    func patterns() async throws -> [String]

    /// Installs a bundle for the sake of `use`, and takes it away again when `use` throws because the bundle's code can
    /// not be loaded.
    func withSupplied<R: Sendable>(
        _ identifier: String, _ use: @Sendable () async throws -> R
    ) async throws -> R
}

extension BundleSupply {
    /// Nothing is known against what this supply has.
    public func refusal(ofRoute query: RouteQuery) async throws -> AtriumError? { nil }
}
