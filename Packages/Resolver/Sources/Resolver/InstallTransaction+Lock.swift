import PluginCore
public import PluginRuntime
import Registry

extension InstallTransaction {
    /// Installs exactly the bundles of a lock, in one transaction.
    ///
    /// - Parameters:
    ///   - members: The bundles that the app consists of; all others of the lock are installed because members require them.
    ///   - isStaged: Whether the new versions become active only when a host starts next.
    /// - Returns: The results for all bundles of the lock that were not active already.
    /// - Throws: ``AtriumError`` with code `lockMismatch` if a package or an installed version has another content than the lock, and as
    ///   ``run(_:offering:staging:keepingWayBack:)``. The sandbox is unchanged then.
    @discardableResult
    public func run(
        _ lock: AppLock, of members: [AppMember], staging isStaged: Bool = false
    ) async throws -> [InstallReport] {
        var order = try order(for: lock, staging: isStaged)
        order.required = Set(lock.bundles.map(\.identifier)).subtracting(members.map(\.identifier))
        let reports = try await fulfill(order).reports
        // Also of members that only came along with others before.
        let active = Set(try registry.active.identifiers())
        try registry.recordRequest(of: members.map(\.identifier).filter(active.contains))
        return reports
    }

    /// Returns what installing the bundles of a lock would change.
    ///
    /// - Throws: as ``run(_:of:staging:)``.
    public func change(
        to lock: AppLock, staging isStaged: Bool = false
    ) async throws -> ResolvedChange {
        let order = try order(for: lock, staging: isStaged)
        return try await source.search { try plan(from: planner.sealed($0, for: order)).change }
    }

    /// Returns the order that makes the bundles of a lock active, as far as they aren't.
    private func order(for lock: AppLock, staging isStaged: Bool) throws(AtriumError) -> InstallOrder {
        var requests: [ChangeRequest] = []
        var older: [ErrorReason] = []
        for bundle in lock.bundles {
            let (identifier, version) = (bundle.identifier, bundle.version)
            let staged = try registry.staged.version(of: identifier)
            let active = try registry.active.version(of: identifier)
            for present in [active, staged].compactMap(\.self) where present.identity == bundle.identity {
                try bundle.requireSame(present.digest)
            }
            if let active, version < active.version {
                older.append(
                    ErrorReason("lockOlder", ["bundle": "\(bundle.identity)", "active": "\(active.version)"]))
            }
            let current = isStaged ? staged ?? active : active
            if let current, current.identity == bundle.identity, isStaged || staged == nil,
                try policy.damage(to: current) == nil
            {
                continue
            }
            requests.append(.install(identifier, version))
        }
        guard older.isEmpty else { throw AtriumError(.downgrade, lock.app.name, problems: older) }
        var order = InstallOrder(requests, staging: isStaged)
        order.limit = lock
        return order
    }
}
