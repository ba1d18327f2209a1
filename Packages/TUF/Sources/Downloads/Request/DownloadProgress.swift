/// The state of a download at one time.
public struct DownloadProgress: Hashable, Sendable {
    /// The number of bytes that are there, with those of earlier attempts.
    public let received: Int64
    /// The length of the file in bytes.
    public let total: Int64
    /// The rate of the last seconds, or nil at the beginning.
    public let bytesPerSecond: Double?
    /// The address from which the file arrives, or nil if it is there already or another process downloads it.
    public let mirror: String?
    /// The number of the attempt, counted from 1, or 0 before the first one.
    public let attempt: Int

    /// The time left at this rate in seconds, or nil if there is no rate.
    public var secondsLeft: Double? {
        guard let bytesPerSecond, bytesPerSecond > 0 else { return received == total ? 0 : nil }
        return Double(total - received) / bytesPerSecond
    }
}
