public import PluginCore

/// A limit on the versions to which a bundle is updated.
public struct VersionPin: Hashable, Sendable {
    /// The bundle.
    public let identifier: String
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

    /// The text of the limit, such as "it is pinned to ^1.0.0".
    public var words: String {
        let range = versions.map { "it is pinned to \($0)" }
        let skipped = skippedThrough.map {
            "it was rolled back from \($0), and stays until a newer version is available"
        }
        return [range, skipped].compactMap { $0 }.joined(separator: ", and ")
    }
}
