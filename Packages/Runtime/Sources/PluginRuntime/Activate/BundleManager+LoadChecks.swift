public import Registry
import PluginCore

/// The checks before a version is used.
extension BundleManager {
    /// Locks a version on the disk while this process may use it.
    ///
    /// - Throws: ``BundleStart/CutOff`` when another version has replaced it and it was removed since the caller read the
    ///   registry, and ``AtriumError`` with code `bundleUnavailable` when it is missing although the registry lists it.
    func lockVersion(_ bundle: PluginBundle) throws {
        do {
            try versionLocks.lockVersion(bundle)
        } catch {
            guard try registry.active.version(of: bundle.identity.identifier) == bundle else {
                throw BundleStart.CutOff(bundle: bundle)
            }
            throw error
        }
    }

    /// Checks that the signer of a version is still trusted, and that its seal is unchanged.
    ///
    /// - Throws: ``AtriumError`` with code `unsigned`, `teamUnknown`, `teamForeign`, `keyRevoked`, `trustInvalid`, `sealBroken`
    ///   or `signatureInvalid`.
    func requireTrust(in bundle: PluginBundle) throws(AtriumError) {
        try seals.requireSealed(bundle, by: trustPolicy.requireLoadable(bundle))
    }

    /// Makes all checks of a load without loading anything: the signer, the seal, and the library's content.
    ///
    /// - Throws: the errors of loading.
    public func requireVerified(_ bundle: PluginBundle) throws {
        try lockVersion(bundle)
        try requireTrust(in: bundle)
        if bundle.entry != nil { try BundleFiles(of: bundle, in: sandbox).requireSealed() }
    }
}
