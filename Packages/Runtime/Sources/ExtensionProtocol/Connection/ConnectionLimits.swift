/// The limits for what the other process can make this one hold.
package struct ConnectionLimits: Sendable {
    /// The number of the other process's requests without replies.
    package let openRequests: Int
    /// The number of canceled requests whose replies have not arrived.
    package let canceled: Int
    /// The number of bytes of the requests without replies.
    package let openBytes: Int
    /// The number of the other process's files that are open in this one.
    package let files: Int
    /// The number of bytes that wait until the other process reads. A descriptor counts as 64 KiB.
    package let unsentBytes: Int

    /// The limits for a plugin, which makes and gets calls all the time.
    package static let ofPlugin = ConnectionLimits(openRequests: 1024, canceled: 1024)

    package init(
        openRequests: Int = 64, openBytes: Int = 64 << 20, files: Int = 64, canceled: Int = 256,
        unsentBytes: Int = 4 << 20
    ) {
        self.openRequests = openRequests
        self.openBytes = openBytes
        self.files = files
        self.canceled = canceled
        self.unsentBytes = unsentBytes
    }
}
