public import PluginCore
public import Registry

/// A request to install or update a bundle.
public enum InstallRequest: Hashable, Sendable {
    /// Install the bundle in this version, or in the newest compatible one.
    case install(BundleIdentifier, SemanticVersion? = nil)
    /// Update the installed bundle to the newest compatible version.
    ///
    /// It is a failure if all newer packages are invalid, unless the bundle may stay as it is, as in an update of all bundles.
    case update(BundleIdentifier, mayStay: Bool = false)

    /// The identifier of the bundle.
    public var identifier: BundleIdentifier {
        switch self {
        case .install(let identifier, _), .update(let identifier, _): identifier
        }
    }

    /// A Boolean value that indicates whether the request fails if invalid packages alone prevent a change.
    var needsPackage: Bool { if case .update(_, mayStay: false) = self { true } else { false } }

    /// A Boolean value that indicates whether the request is an update.
    var isUpdate: Bool { if case .update = self { true } else { false } }

    var resolverRequest: ResolverRequest {
        switch self {
        case .install(let identifier, let version): .install(identifier, version)
        case .update(let identifier, _): .update(identifier)
        }
    }
}

extension [InstallReport] {
    /// Returns the report about a bundle.
    func report(of identifier: BundleIdentifier) throws(AtriumError) -> InstallReport {
        guard let report = first(where: { $0.bundle.identity.identifier == identifier }) else {
            throw AtriumError(.bundleNotInstalled, identifier)
        }
        return report
    }
}

extension [InstallRequest] {
    /// The bundles that are to be installed, not updated.
    var installs: [BundleIdentifier] {
        compactMap { if case .install(let identifier, _) = $0 { identifier } else { nil } }
    }

    /// The explicitly requested versions.
    var namedVersions: Set<BundleIdentity> {
        Set(
            compactMap { request in
                guard case .install(let identifier, let version?) = request else { return nil }
                return BundleIdentity(identifier: identifier, version: version)
            })
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
    /// A Boolean value that indicates whether the files were replaced because they were damaged or their signer wasn't trusted any longer.
    public var isRepaired = false
    /// The version that was unstaged because this one was requested explicitly.
    public var unstaged: PluginBundle?

    /// A Boolean value that indicates whether anything was changed.
    public var isChange: Bool { isRepaired || unstaged != nil || before != bundle }
}
