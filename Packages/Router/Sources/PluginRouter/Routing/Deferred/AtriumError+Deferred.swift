public import PluginCore

// The codes of the queue of deferred requests.
extension AtriumError.Code {
    /// A request that cannot be deferred because the queue is full.
    public static let deferredFull = Self("deferredFull")
    /// A request that cannot be deferred because it carries values that cannot be stored.
    public static let notDeferrable = Self("notDeferrable")
}
