import PluginRuntime
public import PluginCore
public import TUFMetadata

/// The limits of a catalog's data, which bound the work that a server can cause in a host.
public enum CatalogLimits {
    /// The number of versions of a bundle that are offered, and of those that are revoked.
    public static let versions = 4_096
    /// The number of bundles that may meet one need.
    public static let providers = 8_192
    /// The number of deltas to a package.
    public static let deltas = 32
    /// The size of an icon in bytes.
    public static let iconSize = 1 << 20
    /// The length of the reason for a revocation in bytes.
    public static let reason = 1_024
    /// The length of a display name in bytes.
    static let name = 256
    /// The length of a summary in bytes.
    static let summary = 4_096
    /// The number of languages of a package.
    static let languages = 64
    /// The number of platforms of a package.
    static let platforms = 32
    /// The length of the name of a channel, a platform or a language in bytes.
    static let word = 64
    /// The length of the name of a module in bytes.
    static let module = 128
    /// The length of a path in bytes.
    static let path = 512
}

// The codes of catalogs.
extension AtriumError.Code {
    /// Data of a catalog that breaks the rules of its format. The error lists all problems.
    public static let catalogInvalid = Self("catalogInvalid")
    /// A downloaded package that is not the one that the catalog describes.
    public static let catalogMismatch = Self("catalogMismatch")
}

/// The warnings before a role expires, which owners and hosts of a catalog get at the same time.
public enum RoleExpiry {
    /// The days before the end of a role's life from which there is a warning, unless its life is shorter than three times as long.
    public static let warningDays = 30

    /// Returns the time from which there is a warning.
    ///
    /// - Parameters:
    ///   - expires: The end of the role's life.
    ///   - lifetime: The days of its life.
    public static func warningTime(before expires: UTCTime, lifetime: Int) -> UTCTime {
        // A timestamp lives for a day: a warning in the last third of it leaves time to act.
        UTCTime(seconds: expires.seconds - min(warningDays * 86_400, lifetime * 86_400 / 3))
    }
}
