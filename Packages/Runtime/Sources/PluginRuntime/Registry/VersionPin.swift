public import PluginCore

/// A limit to the versions that a bundle moves to.
public struct VersionPin: Hashable, Sendable {
    /// The bundle.
    public let identifier: String
    /// The range in which it is to stay; `nil` when only a rollback limits it.
    public let versions: VersionRange?
    /// The version that the user rolled back from: neither it nor an earlier one is installed until a newer one is; `nil` when nobody
    /// rolled back.
    public let skippedThrough: SemanticVersion?

    /// Returns whether the bundle may not move to a version.
    public func excludes(_ version: SemanticVersion) -> Bool {
        isOutside(version) || skippedThrough.map { version <= $0 } ?? false
    }

    /// Returns whether the user has named a range without the version.
    func isOutside(_ version: SemanticVersion) -> Bool { versions.map { !$0.contains(version) } ?? false }

    /// The limit in words, such as `it is pinned to ^1.0.0`.
    public var words: String {
        let range = versions.map { "it is pinned to \($0)" }
        let skipped = skippedThrough.map {
            "it was rolled back from \($0), and stays until a newer version is available"
        }
        return [range, skipped].compactMap { $0 }.joined(separator: ", and ")
    }
}
