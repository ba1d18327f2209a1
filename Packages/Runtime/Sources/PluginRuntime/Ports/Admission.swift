public import PluginCore

/// The decisions of a host about versions, in addition to the checks of the manager: which may be installed, and which become active.
///
/// ```swift
/// struct OnlyReleases: Admission {
///     func installRule() -> InstallRule {
///         { $0.version.prerelease.isEmpty ? nil : AtriumError(.installNotAllowed, $0.description) }
///     }
/// }
/// services.admission = [OnlyReleases()]
/// ```
public protocol Admission: Sendable {
    /// Returns the reason why a version may not be installed, or nil.
    typealias InstallRule = (BundleIdentity) -> AtriumError?

    /// Returns the rule for the versions of one plan.
    ///
    /// No plan installs a version that it refuses. A rollback and the recovery from a crash are not bound by it, because they only have
    /// the versions that the sandbox keeps.
    ///
    /// - Throws: ``AtriumError`` when the rule is unknown; then nothing is planned.
    func installRule() throws(AtriumError) -> InstallRule

    /// Checks a version that may be installed by its manifest, before its package is fetched.
    ///
    /// - Throws: ``AtriumError`` with the reason; the version is then left out, unless it was requested explicitly.
    func admit(_ manifest: Manifest) throws(AtriumError)

    /// Checks a version that is about to become active.
    ///
    /// - Parameter folder: the folder of the version, whose files match its seal.
    /// - Throws: ``AtriumError`` with code `packageInvalid` and the identity of the version, which is not made active then.
    func permit(_ manifest: Manifest, in folder: FilePath) throws(AtriumError)
}

extension Admission {
    /// Admits every version.
    public func admit(_ manifest: Manifest) throws(AtriumError) {}

    /// Permits every version.
    public func permit(_ manifest: Manifest, in folder: FilePath) throws(AtriumError) {}
}

/// The versions and contents that one change must keep to, such as those of an app's lock.
package protocol ChangeLimit: Sendable {
    /// Returns the reason why the limit rules out a version, or nil.
    func refusal(of identity: BundleIdentity) -> AtriumError?

    /// Checks that a change installs nothing that the limit does not name.
    func requireAll(_ arrivals: [BundleIdentity]) throws(AtriumError)

    /// Checks that a version that the limit names has its content, by the digest of its seal.
    func requireContent(_ digest: String, of identity: BundleIdentity) throws(AtriumError)
}
