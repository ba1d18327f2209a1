public import PluginCore

/// The reasons for a bundle's state: why it isn't offered, installed, the newest version or loadable, and which bundles need it.
public struct BundleDiagnosis: Sendable {
    /// The topic of a finding.
    public enum Topic: String, Sendable, CaseIterable {
        /// The version in the registry.
        case installed
        /// The version that becomes active when a host starts next.
        case staged
        /// Versions that have crashed a host and are not offered again.
        case quarantined = "putAway"
        /// The versions to which it may be updated.
        case pinned
        /// The versions in the catalog.
        case offered
        /// Reasons why offered versions can't be installed.
        case refused
        /// The requirements of the active version.
        case needs
        /// The bundles that need this one.
        case neededBy
        /// The state of the files on the disk, and whether this host could load the library.
        case code
    }

    /// A finding of a diagnosis.
    public struct Finding: Sendable {
        /// The topic of the finding.
        public let topic: Topic
        /// The text of the finding.
        public let words: String
        /// The error that the finding describes, if any.
        public let obstacle: AtriumError?
        /// A command of the host that helps, in addition to the remedy in the obstacle.
        public var remedy: String?
    }

    /// The identifier of the bundle.
    public let identifier: String
    /// The active version, if any.
    public let active: SemanticVersion?
    /// The newest version that can be installed, if it is newer than the active and the staged version.
    public let installable: SemanticVersion?
    /// All findings, grouped by topic.
    public let findings: [Finding]

    /// The errors of all findings.
    public var obstacles: [AtriumError] { findings.compactMap(\.obstacle) }
}
