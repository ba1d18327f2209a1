public import PluginCore

// The codes of installing, starting and updating bundles.
extension AtriumError.Code {
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
    /// A bundle that is not installed and may not be installed to handle a request.
    public static let installNotAllowed = Self("installNotAllowed")
    /// A bundle without blocked versions.
    public static let nothingToUnblock = Self("nothingToUnblock")
}
