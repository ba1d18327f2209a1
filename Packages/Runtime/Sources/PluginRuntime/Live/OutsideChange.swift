public import PluginCore

/// A change that another process has made to a running bundle.
public struct OutsideChange: Hashable, Sendable {
    /// The identifier of the bundle.
    public let identifier: String
    /// The version that was running.
    public let before: SemanticVersion
    /// The version that is active now; `nil` when none is.
    public let now: SemanticVersion?
}

/// A closure that receives the changes of other processes to running bundles; simultaneous changes come in one call.
public typealias OutsideChangeObserver = @MainActor @Sendable ([OutsideChange]) -> Void
