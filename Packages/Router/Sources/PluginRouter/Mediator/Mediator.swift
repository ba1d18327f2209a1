public import PluginCore
internal import Synchronization

/// Calls actions by name: finds the target's bundle by its manifest, loads it on first use, and remembers the target
/// until the bundle goes.
public final class Mediator: Mediating {
    private let directory: any TargetDirectory
    private let provider: any BundleProvider
    private let supply: (any BundleSupply)?
    private let known = Mutex(Known())

    /// The targets that have been found, and how often some were let go of.
    private struct Known {
        var targets: [String: (target: ActionTarget, owner: String)] = [:]
        var releases = 0
    }

    /// Puts a mediator together.
    ///
    /// - Parameters:
    ///   - directory: the targets of manifests.
    ///   - provider: the bundles behind them.
    ///   - supply: bundles that could be installed; `nil` for none.
    public init(directory: any TargetDirectory, provider: any BundleProvider, supply: (any BundleSupply)?) {
        self.directory = directory
        self.provider = provider
        self.supply = supply
    }

    /// Performs an action; see ``Mediating``.
    @discardableResult
    public func perform(
        _ action: String, on target: String, _ parameters: ActionParameters
    ) async throws -> any Sendable {
        if let known = known.withLock({ $0.targets[target]?.target }) {
            return try await perform(action, of: known, parameters)
        }
        if let owner = try await directory.owner(ofTarget: target) {
            return try await perform(action, of: try await load(target, from: owner), parameters)
        }
        guard let supply, let owner = try await supply.supplier(ofTarget: target) else {
            let nearest = Nearest.words(to: target, in: try await directory.targets())
            throw AtriumError(.targetUnknown, target, nearest: nearest)
        }
        return try await supply.withSupplied(owner) {
            try await self.perform(action, of: try await self.load(target, from: owner), parameters)
        }
    }

    /// Performs the action that an address names; see ``Mediating``.
    @discardableResult
    public func perform(_ uri: ResourceURI, _ parameters: ActionParameters) async throws -> any Sendable {
        throw AtriumError(.uriMalformed, uri.text, detail: "remote calls are not wired in")
    }

    /// Forgets a target; see ``Mediating``.
    public func releaseTarget(named name: String) {
        known.withLock { known in
            known.targets[name] = nil
            known.releases += 1
        }
    }

    /// Forgets the targets of a bundle that goes.
    public func release(owner: String) {
        known.withLock { known in
            known.targets = known.targets.filter { $0.value.owner != owner }
            known.releases += 1
        }
    }

    private func perform(
        _ name: String, of target: ActionTarget, _ parameters: ActionParameters
    ) async throws -> any Sendable {
        guard let action = target.action(name) else {
            let nearest = Nearest.words(to: name, in: target.actionNames)
            throw AtriumError(.actionUnknown, "\(target.name).\(name)", nearest: nearest.map { "\(target.name).\($0)" })
        }
        return try await action.body(parameters)
    }

    private func load(_ name: String, from owner: String) async throws -> ActionTarget {
        let releases = known.withLock { $0.releases }
        let principal = try await provider.principal(of: owner)
        guard let target = await principal.target(named: name) else {
            throw AtriumError(.targetUnknown, name, detail: "\(owner) declares it and does not provide it")
        }
        known.withLock { known in
            // What was let go of while it was loaded serves this call and is not remembered for the next.
            if known.releases == releases { known.targets[name] = (target, owner) }
        }
        return target
    }
}
