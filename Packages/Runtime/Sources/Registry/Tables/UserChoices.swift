public import PluginCore

/// The reasons why a bundle is installed.
public enum InstallReason: String, Hashable, Sendable, CaseIterable, Codable {
    /// A user installed it by name.
    case requested
    /// Another bundle requires it.
    case required
    /// An address or a call needed it.
    case onDemand
}

/// A limit on the versions to which a bundle is updated.
public struct VersionPin: Hashable, Sendable {
    /// The bundle.
    public let identifier: BundleIdentifier
    /// The range of allowed versions; `nil` when only a rollback limits them.
    public let versions: VersionRange?
    /// The version from which the user rolled back; `nil` after no rollback.
    ///
    /// Neither it nor an earlier version is installed until a newer one is.
    public let skippedThrough: SemanticVersion?

    /// Returns whether the bundle may not be updated to a version.
    public func excludes(_ version: SemanticVersion) -> Bool {
        isOutside(version) || skippedThrough.map { version <= $0 } ?? false
    }

    /// Returns whether a version is outside the range that the user has set.
    package func isOutside(_ version: SemanticVersion) -> Bool { versions.map { !$0.contains(version) } ?? false }

    /// The description of the limit.
    public var reason: ErrorReason? {
        let pin = versions.map { ErrorReason("pinnedTo", ["range": "\($0)"]) }
        let rollback = skippedThrough.map { ErrorReason("rolledBackFrom", ["version": "\($0)"]) }
        guard let pin, let rollback else { return pin ?? rollback }
        return ErrorReason("pinnedAndRolledBack", ["pin": .reason(pin), "rollback": .reason(rollback)])
    }
}
