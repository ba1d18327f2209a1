public import PluginCore

extension SemanticVersion {
    /// Returns whether the version may be chosen for a request that names neither a version nor a range.
    ///
    /// Releases always may. A pre-release may only replace an earlier pre-release of the same version, or be chosen if no release exists.
    ///
    /// - Parameters:
    ///   - current: the current version, if any.
    ///   - offered: the available versions.
    public func isForAnybody(after current: SemanticVersion?, among offered: some Sequence<SemanticVersion>) -> Bool {
        if prerelease.isEmpty { return true }
        guard let current else { return offered.allSatisfy { !$0.prerelease.isEmpty } }
        return !current.prerelease.isEmpty && self > current
            && (major, minor, patch) == (current.major, current.minor, current.patch)
    }
}
