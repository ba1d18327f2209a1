import PluginCore

/// A request that waits in a file for the bundle that would serve it.
public struct DeferredRecord: Hashable, Sendable, Codable {
    /// The address, as it was asked for. Values that were sent along have no place in a file.
    public let url: String
    /// The name of the code (``AtriumError/Code``) that it could not be served with.
    public let reason: String
    /// When it was kept, in seconds since 1970.
    public let since: Int64
    /// When it is of no use any more, in seconds since 1970.
    public let until: Int64

    /// Describes a request.
    public init(url: String, reason: String, since: Int64, until: Int64) {
        self.url = url
        self.reason = reason
        self.since = since
        self.until = until
    }
}
