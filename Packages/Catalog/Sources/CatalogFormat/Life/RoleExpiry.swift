public import TUFMetadata

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
