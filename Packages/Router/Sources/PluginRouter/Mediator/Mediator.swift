public import PluginCore

/// Calls actions by name: finds the target's bundle by its manifest, loads it on first use, and remembers the target
/// under the bundle's lease.
///
/// It calls as the host. What bundles get calls as them (``leased(to:)``), and for others the host says who asks
/// (``mediator(for:)``):
///
/// ```swift
/// try await mediator.mediator(for: .external).perform(ResourceURI("app://Shop/price?id=42"), [:])
/// ```
public final class Mediator: Sendable {
    let directory: any TargetDirectory
    let provider: any LoadedBundleProvider
    let supply: (any BundleSupply)?
    let board: LeaseBoard
    let limits: RouterLimits
    let clock: any Clock<Duration>
    let notFound: NotFound?
    /// The targets of the host itself, by name, and the lease that they are remembered under.
    let hostTargets: [String: ActionTarget]
    let hostLease: Lease

    /// Answers to a call that no bundle answers to, or throws.
    public typealias NotFound = @Sendable (UnansweredCall) async throws -> any Sendable

    /// Puts a mediator together.
    ///
    /// - Parameters:
    ///   - directory: the targets of manifests.
    ///   - provider: the bundles behind them.
    ///   - supply: bundles that could be installed; `nil` for none.
    ///   - board: where the targets are remembered.
    ///   - limits: how long chains of calls may be, how large a call from outside, and how long a call by address.
    ///   - clock: what that time is measured with.
    ///   - hostTargets: the targets of the host itself, which any plugin may call; they come before those of bundles.
    ///   - hostLease: what the host's targets are remembered under.
    ///   - notFound: is asked when a target, or an action of one, is not there, and the target itself has no answer; `nil`
    ///     for nobody. What it does not know either it answers with `targetUnknown` or `actionUnknown`.
    public init(
        directory: any TargetDirectory, provider: any LoadedBundleProvider, supply: (any BundleSupply)?,
        board: LeaseBoard, limits: RouterLimits = .standard,
        clock: any Clock<Duration> = ContinuousClock(), hostTargets: [ActionTarget] = [],
        hostLease: Lease = Lease(owner: "host"), notFound: NotFound? = nil
    ) {
        self.hostTargets = Dictionary(hostTargets.map { ($0.name, $0) }) { _, last in last }
        self.hostLease = hostLease
        self.directory = directory
        self.provider = provider
        self.supply = supply
        self.board = board
        self.limits = limits
        self.clock = clock
        self.notFound = notFound
    }

    /// The mediator as one bundle sees it: who calls is the lease's owner, whatever is passed along.
    public func leased(to lease: Lease) -> any Mediating {
        CallerMediator(mediator: self, caller: Caller(origin: .plugin(lease.owner), lease: lease))
    }

    /// The mediator for calls that the host passes on for somebody else: a link from outside, an extension.
    public func mediator(for origin: RequestOrigin) -> any Mediating {
        CallerMediator(mediator: self, caller: Caller(origin: origin, lease: nil))
    }
}

/// A call that no bundle has an answer to.
public struct UnansweredCall: Sendable {
    /// The target that was named.
    public let target: String
    /// The action that was named.
    public let action: String
    /// What came along.
    public let parameters: ActionParameters
    /// Who calls.
    public let origin: RequestOrigin
}

extension Mediator: Mediating {
    /// Performs an action for the host; see `Mediating`.
    @discardableResult
    public func perform(
        _ action: String, on target: String, _ parameters: ActionParameters
    ) async throws -> any Sendable {
        try await perform(action, on: target, parameters, for: .host)
    }

    /// Performs the action that an address names, for the host; see `Mediating`.
    @discardableResult
    public func perform(_ uri: ResourceURI, _ parameters: ActionParameters) async throws -> any Sendable {
        try await perform(uri, parameters, for: .host)
    }

    /// Forgets a target; see `Mediating`.
    public func releaseTarget(named name: String) {
        board.remove { $0.targets.release(name) }
    }
}
