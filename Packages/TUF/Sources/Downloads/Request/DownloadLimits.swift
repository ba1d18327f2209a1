/// The limits of one download in time, rate and number of attempts.
public struct DownloadLimits: Hashable, Sendable {
    /// The time for everything, counted from the turn of the download.
    public var total: Duration = .seconds(3600)
    /// The number of attempts at each mirror, one after another, that bring nothing.
    public var attempts = 4
    /// The length of content in bytes that counts as progress.
    public var progressLength: Int64 = 1 << 16
    /// The pause after the first attempt that failed. Each further one takes twice as long.
    public var firstPause: Duration = .milliseconds(500)
    /// The longest pause. A mirror that asks for a longer one is not tried again.
    public var longestPause: Duration = .seconds(30)
    /// The slowest accepted rate in bytes a second.
    public var slowestRate = 1000
    /// The time for which a mirror may be slower than the slowest rate.
    public var patience: Duration = .seconds(20)
    /// The time for connecting.
    public var connect: Duration = .seconds(15)

    /// Creates the limits for a file of any length.
    public init() {}
}
