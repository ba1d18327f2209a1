internal import HostSystem

/// The limit of what a process may log: as much as for its output, and a kilobyte more each second, because a plugin runs for long.
struct LogLimit {
    /// The number of bytes as which a message counts besides its text.
    private static let messageSize = 64

    private var left = ProcessOutput.reportedSize
    private var filledAt: Int64?
    private var hasSaidSo = false

    /// Returns the text to log for a message, or nil.
    ///
    /// - Parameter now: The time in milliseconds since any moment.
    mutating func take(_ text: String, at now: Int64) -> String? {
        left = min(left + max(0, Int(now - (filledAt ?? now))), ProcessOutput.reportedSize)
        filledAt = now
        let size = text.utf8.count + Self.messageSize
        if size <= left {
            left -= size
            hasSaidSo = false
            return text
        }
        defer { hasSaidSo = true }
        return hasSaidSo ? nil : "(more messages are not shown)"
    }
}
