public import PluginCore
public import Registry

extension [InstallReport] {
    /// Returns the report about a bundle.
    func report(of identifier: BundleIdentifier) throws(AtriumError) -> InstallReport {
        guard let report = first(where: { $0.bundle.identifier == identifier }) else {
            throw AtriumError(.bundleNotInstalled, identifier)
        }
        return report
    }
}

/// The result of an install, an update or a rollback for one bundle.
public struct InstallReport: Sendable {
    /// The version that is active or staged now, or a repaired rollback target.
    public let bundle: PluginBundle
    /// The version that was active before; the same version if nothing was done.
    public let before: PluginBundle?
    /// A Boolean value that indicates whether the version becomes active only when a host starts next.
    public var isStaged = false
    /// A Boolean value that indicates whether it becomes active already when nothing uses the data of the active version any longer.
    public var waitsForData = false
    /// The newer offered versions with invalid packages, newest first.
    public var skippedVersions: [SkippedVersion] = []

    /// The download of the package; `nil` if none was necessary.
    public var download: PackageDownload?
    /// The permissions that the bundle asks for, without those that the version before had.
    public var newPermissions: [BundlePermission] = []
    /// A Boolean value that indicates whether the files were replaced: damaged ones, those of an untrusted signer, or libraries for another host.
    public var isRepaired = false
    /// The version that was unstaged because this one was requested explicitly.
    public var unstaged: PluginBundle?

    /// A Boolean value that indicates whether anything was changed.
    public var isChange: Bool { isRepaired || unstaged != nil || before != bundle }
}

/// A change that an install transaction makes, as planned.
package struct InstallPlan {
    package let change: ResolvedChange
    /// The damaged versions that are repaired.
    package let repairs: [PluginBundle]
    /// The results for requests that need no other version.
    let unchanged: [InstallReport]
    /// The bundles of such requests that a user has requested by name.
    let named: [BundleIdentifier]
    /// The packages that are still to be downloaded.
    let missing: [CatalogPackage]
    package let sealed: SealedOffers

    /// The versions that were staged to replace active ones that are explicitly requested.
    package var unstaged: [PluginBundle] { unchanged.compactMap(\.unstaged) }

    /// A Boolean value that indicates whether nothing has to change.
    var isEmpty: Bool { change.isEmpty && repairs.isEmpty && unstaged.isEmpty }
}

/// A change that an install transaction makes, as requested.
package struct InstallOrder: Sendable {
    let requests: [ChangeRequest]
    /// Packages offered in addition to the catalog's.
    let packages: [CatalogPackage]
    /// A Boolean value that indicates whether the new versions become active only when a host starts next.
    var isStaged: Bool
    /// A Boolean value that indicates whether they become active already when nothing uses the data of the active versions any longer.
    var waitsForData = false
    /// `false` if a version with a higher data version may take the data over without a copy.
    let isWayBackKept: Bool
    private let reason: InstallReason
    /// The name of the on-demand install, if it is one.
    package var token: String?
    /// The versions that could not be downloaded or repaired, whose bundles stay as they are.
    var failures: [SkippedVersion] = []
    /// The versions and contents that the change must keep to, if it is one of an app as a whole.
    package var limit: (any ChangeLimit)?
    /// The requested bundles that are installed only because others require them.
    package var required: Set<BundleIdentifier> = []

    /// Creates an order.
    ///
    /// - Parameters:
    ///   - packages: Packages offered in addition to the catalog's.
    ///   - isStaged: Whether the new versions become active only when a host starts next.
    ///   - isWayBackKept: `false` if a version with a higher data version may take the data over without a copy.
    ///   - reason: The reason why the bundles are installed.
    package init(
        _ requests: [ChangeRequest], offering packages: [CatalogPackage] = [], staging isStaged: Bool = false,
        keepingWayBack isWayBackKept: Bool = true, because reason: InstallReason = .requested
    ) {
        self.requests = requests.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        self.packages = packages
        self.isStaged = isStaged
        self.isWayBackKept = isWayBackKept
        self.reason = reason
    }

    /// The versions that a user has requested explicitly, which a rollback doesn't block.
    var named: [BundleIdentity] { reason == .requested ? requests.compactMap(\.identity) : [] }

    /// A Boolean value that indicates whether bundles may stay as they are because a download has failed.
    var mayLeaveOut: Bool { requests.allSatisfy(\.mayStay) }

    /// Returns whether a version could not be downloaded or repaired before.
    func hasFailed(_ bundle: PluginBundle) -> Bool { failures.contains { $0.identity == bundle.identity } }

    /// Returns whether a bundle may stay as it is.
    func mayStay(_ bundle: PluginBundle) -> Bool {
        requests.contains { $0.identifier == bundle.identifier && $0.mayStay }
    }

    /// Returns the reason why a bundle is installed.
    func reason(for identifier: BundleIdentifier) -> InstallReason {
        let isRequested = requests.contains { $0.kind == .install && $0.identifier == identifier }
        return isRequested && !required.contains(identifier) ? reason : .required
    }
}

/// The result of an update of several bundles, some of which may have stayed as they were.
///
/// ```swift
/// let result = try await manager.transactions.install.update(identifiers)
/// for failure in result.failures { print(failure.identity, failure.error) }
/// ```
public struct UpdateResult: Sendable {
    /// The results for the requested bundles in their order, and then for all others that changed.
    public let reports: [InstallReport]
    /// The versions that could not be downloaded or repaired, whose bundles stay as they were.
    public let failures: [SkippedVersion]
    /// The newer versions of other bundles that need one of these.
    public let waiting: [BundleIdentity]

    /// Creates the result of a change in which some downloads may have failed.
    ///
    /// - Parameter wanted: The versions that would have been installed without failures.
    init(_ reports: [InstallReport], failures: [SkippedVersion], wanted: [BundleIdentity]) {
        self.reports = reports
        self.failures = failures
        let failed = Set(failures.map(\.identity.identifier))
        let now = Dictionary(reports.map { ($0.bundle.identifier, $0.bundle.identity) }) { first, _ in first }
        let waiting = wanted.filter { version in
            !failed.contains(version.identifier) && now[version.identifier].map { $0 != version } ?? false
        }
        self.waiting = failures.isEmpty ? [] : waiting
    }
}
