public import PluginCore
public import PluginRuntime
public import Registry

/// The predicted outcome for a staged version at the next start of a host.
public struct StagedUpdateReport: Sendable {
    /// The staged version.
    public let bundle: PluginBundle
    /// The reason why it can't become active at present; `nil` when it can.
    public let obstacle: AtriumError?

    /// The description of the outcome.
    public var reason: ErrorReason {
        ErrorReason(
            obstacle == nil ? "stagedForNextStart" : "stagedWithObstacle", ["version": "\(bundle.version)"])
    }
}

extension StagedUpdates {
    /// Predicts the outcome for each staged version at the next start of a host.
    ///
    /// - Throws: the errors of the registry.
    public func reports() throws(AtriumError) -> [StagedUpdateReport] {
        try groups().flatMap { group in
            group.bundles.map { StagedUpdateReport(bundle: $0, obstacle: group.obstacle) }
        }
    }
}
