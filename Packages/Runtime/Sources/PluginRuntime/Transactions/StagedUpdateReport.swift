public import Registry
public import PluginCore

/// The predicted outcome for a staged version at the next start of a host.
public struct StagedUpdateReport: Sendable {
    /// The staged version.
    public let bundle: PluginBundle
    /// The reason why it can't become active at present; `nil` when it can.
    public let obstacle: AtriumError?

    /// The text of the outcome.
    public var words: String {
        let version = bundle.identity.version
        if obstacle == nil { return "\(version) is staged; it becomes active when a host starts next" }
        return "\(version) is staged, but cannot become active now"
    }
}
