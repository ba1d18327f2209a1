public import Registry
import HostSystem
import Resolver
public import PluginCore

/// The update status of an installed bundle.
public struct UpdateReport: Sendable {
    /// The active version.
    public let active: PluginBundle
    /// The newest version to which the bundle can be updated, according to the manifests that could be read.
    ///
    /// The active version if there is none above it; `nil` if that is unknown.
    public let reachable: SemanticVersion?
    /// The newest offered version, installable or not; `nil` if there is none or it is unknown.
    public let newest: SemanticVersion?
    /// The reason why the bundle can't be updated to the newest version, or why that version is unknown.
    public let obstacle: AtriumError?
    /// The pin of the bundle; `nil` if it has none.
    public var pin: VersionPin?

    /// A Boolean value that indicates whether an update would bring something newer.
    public var isOutdated: Bool { reachable.map { $0 > active.identity.version } ?? false }

    /// A Boolean value that indicates whether all offers could be read.
    public var isKnown: Bool { obstacle?.code != .catalogUnreachable }
}
