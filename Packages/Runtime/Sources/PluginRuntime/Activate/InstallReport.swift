/// What became of one bundle in an install, an update or a rollback.
public struct InstallReport: Hashable, Sendable {
    /// The version that is active now, or staged; or one to go back to that was put in its place anew.
    public let bundle: PluginBundle
    /// The version that was active before; the same when nothing had to be done.
    public let before: PluginBundle?
    /// A Boolean value that indicates whether it becomes active only when a host starts next.
    public var isStaged = false
    /// The newer versions on offer whose packages are of no use, newest first.
    public var passedOver: [PassedOver] = []

    /// A Boolean value that indicates whether it was not as it was sealed, or its signer not believed any more, and it was put in its place anew.
    public var isRepaired = false
    /// The version that waited for the next start and does not any more, because this one was asked for by its version.
    public var unstaged: PluginBundle?

    /// A Boolean value that indicates whether anything was done.
    public var isChange: Bool { isRepaired || unstaged != nil || before != bundle }
}
