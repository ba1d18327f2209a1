import BundleFormat
import PluginCore

/// The selection of the installations that get a version of which only a share is rolled out.
///
/// Each installation has a place from 0 to 99 for each version, so that a growing share keeps all installations that it had.
struct Rollout {
    let installation: Installation

    /// Returns whether this installation gets a version that is rolled out to some percent of all.
    func includes(_ identity: BundleIdentity, percent: Int) throws(AtriumError) -> Bool {
        if percent >= 100 { return true }
        return try place(of: identity) < percent
    }

    private func place(of identity: BundleIdentity) throws(AtriumError) -> Int {
        let digest = try ContentDigest.of(Array("\(installation.name())\n\(identity)".utf8))
        return Int((UInt64(digest.prefix(15), radix: 16) ?? 0) % 100)
    }
}
