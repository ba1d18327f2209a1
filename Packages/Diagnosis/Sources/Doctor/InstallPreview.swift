public import PluginCore
public import PluginRuntime
public import Registry

/// The effect that an install or an update would have, as it is planned.
///
/// ```swift
/// let preview = try await manager.transactions.install.preview([.install(identifier)])
/// print(preview.changes.compactMap(\.downloadSize).reduce(0, +))
/// ```
public struct InstallPreview: Sendable {
    /// The change of one bundle.
    public struct Change: Sendable {
        /// The versions before and after.
        public let step: ResolvedChange.Step
        /// The name of the bundle; nil for one that is removed.
        public let name: String?
        /// The size of the package that has to be downloaded, in bytes; nil for a local package. A delta in its place is smaller.
        public let downloadSize: Int64?
        /// The permissions that the version before does not have.
        public let newPermissions: [BundlePermission]
    }

    /// The changes in their order.
    public let changes: [Change]
    /// The versions whose files would be replaced, because they are damaged or their signer is no longer trusted.
    public let repairs: [PluginBundle]
    /// The staged versions that would be unstaged, because the active ones are requested explicitly.
    public let unstaged: [PluginBundle]
    /// The newer versions that are skipped because their packages are invalid.
    public let skippedVersions: [SkippedVersion]

    /// A Boolean value that indicates whether nothing would change.
    public var isEmpty: Bool { changes.isEmpty && repairs.isEmpty && unstaged.isEmpty }
}

extension InstallTransaction {
    /// Plans what ``run(_:offering:staging:keepingWayBack:)`` would do, and changes nothing.
    ///
    /// Local packages are checked as by the install itself. What only a downloaded package can show, such as an invalid signature, is found
    /// by the install.
    ///
    /// - Throws: as ``run(_:offering:staging:keepingWayBack:)``.
    public func preview(
        _ requests: [ChangeRequest], offering packages: [CatalogPackage] = [], staging isStaged: Bool = false
    ) async throws -> InstallPreview {
        try await source.search { try preview(requests, staging: isStaged, from: $0.adding(packages)) }
    }

    private func preview(
        _ requests: [ChangeRequest], staging isStaged: Bool, from offers: any Offers
    ) throws(AtriumError) -> InstallPreview {
        let plan = try plan(from: planner.sealed(offers, for: InstallOrder(requests, staging: isStaged)))
        let changes = try plan.change.steps.map { step throws(AtriumError) in
            guard let arrival = step.arrival else {
                return InstallPreview.Change(step: step, name: nil, downloadSize: nil, newPermissions: [])
            }
            let package = try offers.package(arrival)
            if package.download == nil { _ = try plan.sealed.package(arrival) }
            let before = try registry.active.version(of: step.identifier)
            let granted = before.flatMap { try? registry.versions.manifest(of: $0).permissions } ?? []
            return InstallPreview.Change(
                step: step, name: package.manifest.name, downloadSize: package.download == nil ? nil : package.size,
                newPermissions: package.manifest.permissions.filter { !granted.contains($0) })
        }
        return InstallPreview(
            changes: changes, repairs: plan.repairs, unstaged: plan.unstaged,
            skippedVersions: plan.change.skippedVersions)
    }
}
