import PluginCore

/// Putting in its place anew what is not as it was sealed any more.
extension BundleManager {
    /// The active versions that are to be installed, and are not as they were sealed, or not there. That their signer is not
    /// believed any more is nothing that another copy would mend.
    nonisolated func damaged(among wishes: [BundleWish]) throws(AtriumError) -> [PluginBundle] {
        var damaged: [PluginBundle] = []
        for case .install(let identifier, let version) in wishes {
            guard let active = try registry.active(identifier), version.map({ $0 == active.identity.version }) ?? true
            else { continue }
            do throws(AtriumError) {
                try requireSound(active)
            } catch {
                let harms: [AtriumError.Code] = [
                    .sealBroken, .unsigned, .signatureInvalid, .manifestInvalid, .bundleUnavailable, .inputOutput,
                ]
                if harms.contains(error.code) { damaged.append(active) }
            }
        }
        return damaged
    }

    /// Puts a version in its place anew, from a package with the same seal. The registry has nothing to learn of it.
    ///
    /// - Throws: ``AtriumError`` with code `versionUnknown` when there is no such package, `versionReused` when its seal is
    ///   another one, and what is wrong with it.
    nonisolated func repair(_ bundle: PluginBundle, _ packages: [CatalogPackage]) throws(AtriumError) {
        try checkOrigin(of: bundle, packages)
        // What is installed may stay when its key has had its time, and so it may come back.
        try installer.putAnew(try sealed(bundle.identity, packages, for: .load))
    }
}
