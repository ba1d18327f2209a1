public import PluginCore

/// Why a bundle is as it is: not offered, not installed, not the newest, not loadable; and who needs it.
public struct BundleDiagnosis: Sendable {
    /// What a finding is about.
    public enum Topic: String, Sendable, CaseIterable {
        /// What the registry says.
        case installed
        /// What becomes active when a host starts next.
        case staged
        /// What has brought a host down, and is not offered again.
        case putAway
        /// Which versions it may move to.
        case pinned
        /// What the catalog has.
        case offered
        /// Why a version on offer cannot be installed.
        case refused
        /// What the active version needs.
        case needs
        /// Who needs the bundle.
        case neededBy
        /// What lies on the disk, and whether this host could load it.
        case code
    }

    /// One thing that was found out.
    public struct Finding: Sendable {
        /// What it is about.
        public let topic: Topic
        /// The finding in words.
        public let words: String
        /// What stands in the way, if anything does.
        public let obstacle: AtriumError?
        /// What to do about it beside what the obstacle asks for: a command of the host.
        public var remedy: String?
    }

    /// Which bundle.
    public let identifier: String
    /// The active version, or `nil`.
    public let active: SemanticVersion?
    /// The newest version that can be installed, if that is newer than what is active or staged.
    public let installable: SemanticVersion?
    /// All that was found out, topic by topic.
    public let findings: [Finding]

    /// All that stands in the way.
    public var obstacles: [AtriumError] { findings.compactMap(\.obstacle) }
}
