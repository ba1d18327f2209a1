public import PluginCore

/// What becomes of a staged version when a host starts next.
public struct StagedOutlook: Sendable {
    /// The version.
    public let bundle: PluginBundle
    /// Why it can not become active as things are now; `nil` when it can.
    public let obstacle: AtriumError?
}

/// Staged versions that need each other, and become active together or not at all.
struct StagedGroup {
    var bundles: [PluginBundle]
    /// Those whose manifests could be read: all, unless there is an obstacle.
    var versions: [PlacedVersion] = []
    var obstacle: AtriumError?
}
