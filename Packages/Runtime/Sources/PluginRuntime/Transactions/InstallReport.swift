public import Registry
public import Resolver

/// The result of an install, an update or a rollback for one bundle.
public struct InstallReport: Hashable, Sendable {
    /// The version that is active or staged now, or a repaired rollback target.
    public let bundle: PluginBundle
    /// The version that was active before; the same version if nothing was done.
    public let before: PluginBundle?
    /// A Boolean value that indicates whether the version becomes active only when a host starts next.
    public var isStaged = false
    /// The newer offered versions with invalid packages, newest first.
    public var skippedVersions: [SkippedVersion] = []

    /// A Boolean value that indicates whether the files were replaced because they were damaged or their signer wasn't trusted any longer.
    public var isRepaired = false
    /// The version that was unstaged because this one was requested explicitly.
    public var unstaged: PluginBundle?

    /// A Boolean value that indicates whether anything was changed.
    public var isChange: Bool { isRepaired || unstaged != nil || before != bundle }
}
