public import PluginCore

/// What becomes of a staged version when a host starts next.
public struct StagedOutlook: Sendable {
    /// The version.
    public let bundle: PluginBundle
    /// Why it cannot become active as things are now; `nil` when it can.
    public let obstacle: AtriumError?

    /// What it is, in words.
    public var words: String {
        let version = bundle.identity.version
        if obstacle == nil { return "\(version) is staged: active when a host starts next" }
        return "\(version) is staged, and cannot become active as things are now"
    }
}

/// Staged versions that need each other, and become active together or not at all.
struct StagedGroup {
    var bundles: [PluginBundle]
    /// Those whose manifests could be read: all, unless there is an obstacle.
    var versions: [PlacedVersion] = []
    var obstacle: AtriumError?
}
