public import PluginCore

// The codes of installing, starting and updating bundles.
extension AtriumError.Code {
    /// A bundle without a library for this platform.
    public static let libraryMissing = Self("libraryMissing")
    /// A bundle whose linked library belongs to a bundle that is missing or has an unacceptable version.
    ///
    /// The reason names the chain of requirements.
    public static let dependencyUnmet = Self("dependencyUnmet")
    /// A version that is already installed with other content.
    public static let versionReused = Self("versionReused")
    /// A bundle that exceeded the deadline for starting.
    public static let startTimedOut = Self("startTimedOut")
    /// A principal object that rejected the start.
    public static let bundleRefused = Self("bundleRefused")
    /// A version that is quarantined because it crashed or hung the host.
    public static let quarantined = Self("quarantined")
    /// A version that is excluded by a pin or by the user's rollback to an earlier version.
    public static let pinned = Self("pinned")
    /// A version that the app's bundle.json does not allow.
    public static let excludedByApp = Self("excludedByApp")
    /// A bundle that is not installed and may not be installed to handle a request.
    public static let installNotAllowed = Self("installNotAllowed")
    /// A plugin whose process crashed, exceeded its memory limit, missed a deadline, or broke a rule of the protocol.
    public static let pluginCrashed = Self("pluginCrashed")
    /// A plugin whose process was ended from outside, or by its host.
    public static let pluginEnded = Self("pluginEnded")
}
