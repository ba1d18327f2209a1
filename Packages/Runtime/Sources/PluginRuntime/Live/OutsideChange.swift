public import PluginCore

/// What another process has done to a bundle that runs in this one.
public struct OutsideChange: Hashable, Sendable {
    /// Which bundle.
    public let identifier: String
    /// The version that ran.
    public let before: SemanticVersion
    /// The version that is active now; `nil` when none is.
    public let now: SemanticVersion?
}

/// Hears what other processes have done to bundles in use; what was done at once comes at once.
public typealias OutsideChangeObserver = @MainActor @Sendable ([OutsideChange]) -> Void
