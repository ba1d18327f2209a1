import PluginCore

/// What a version needs before it is used.
extension BundleManager {
    /// Keeps a version on the disk as long as this process may use it.
    ///
    /// - Throws: ``BundleStart/CutOff`` when another version has taken its place and it has gone since the caller looked, and
    ///   ``AtriumError`` with code `bundleUnavailable` when it is gone though the registry names it.
    func hold(_ bundle: PluginBundle) throws {
        do {
            try holds.hold(bundle)
        } catch {
            guard try registry.active(bundle.identity.identifier) == bundle else {
                throw BundleStart.CutOff(bundle: bundle)
            }
            throw error
        }
    }

    /// Returns whether who sealed a version may still be believed, and whether the seal is still there as it was let in.
    ///
    /// - Throws: ``AtriumError`` with code `unsigned`, `teamUnknown`, `teamForeign`, `keyRevoked`, `trustInvalid`, `sealBroken` or
    ///   `signatureInvalid`.
    func requireTrust(in bundle: PluginBundle) throws(AtriumError) {
        try seals.requireSealed(bundle, by: gate.requireLoadable(bundle))
    }

    /// Asks of a version all that a load asks before the dynamic loader is called, and loads nothing: whether its signer is still
    /// believed, its seal is there as it was signed, and its library is the file that was sealed.
    ///
    /// - Throws: what a load of it would throw.
    public func requireVerified(_ bundle: PluginBundle) throws {
        try hold(bundle)
        try requireTrust(in: bundle)
        if bundle.entry != nil { try BundleFiles(of: bundle, in: sandbox).requireSealed() }
    }
}
