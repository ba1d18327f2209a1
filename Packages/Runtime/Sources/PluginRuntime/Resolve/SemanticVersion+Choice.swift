public import PluginCore

extension SemanticVersion {
    /// Returns whether it is for somebody who names neither a version nor a range: every release is; a pre-release only in place of an
    /// earlier one of the same release, or where there is no release at all.
    ///
    /// - Parameters:
    ///   - current: what there is now, if anything.
    ///   - offered: what can be had.
    public func isForAnybody(after current: SemanticVersion?, among offered: some Sequence<SemanticVersion>) -> Bool {
        if prerelease.isEmpty { return true }
        guard let current else { return offered.allSatisfy { !$0.prerelease.isEmpty } }
        return !current.prerelease.isEmpty && self > current
            && (major, minor, patch) == (current.major, current.minor, current.patch)
    }
}
