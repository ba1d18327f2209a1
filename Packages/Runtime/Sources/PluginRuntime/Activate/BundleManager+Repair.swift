import PluginCore

/// Putting in its place anew what is not as it was sealed any more, or signed by a key that is not believed any more.
extension BundleManager {
    /// The active versions that are to be installed and are not as they were sealed, or not there, or not by who is believed: another
    /// copy, or another signature on the same seal, may mend that.
    nonisolated func damaged(among wishes: [BundleWish]) throws(AtriumError) -> [PluginBundle] {
        var damaged: [PluginBundle] = []
        for case .install(let identifier, let version) in wishes {
            guard let active = try registry.active(identifier), version.map({ $0 == active.identity.version }) ?? true
            else { continue }
            if try harm(to: active) != nil { damaged.append(active) }
        }
        return damaged
    }

    /// Parts wishes from those whose version is the one to go back to, below the active one, and is damaged: it is put in its place
    /// anew and does not become active.
    nonisolated func apart(
        _ wishes: [BundleWish]
    ) throws(AtriumError) -> (kept: [PluginBundle], others: [BundleWish]) {
        var kept: [PluginBundle] = []
        var others: [BundleWish] = []
        for wish in wishes {
            if case .install(let identifier, let version?) = wish, let installed = try registry.installed(identifier),
                let previous = installed.previous, previous.identity.version == version,
                version < installed.active.identity.version, try harm(to: previous) != nil
            {
                kept.append(previous)
            } else {
                others.append(wish)
            }
        }
        return (kept, others)
    }

    /// What speaks against an installed version, if another package of it may not have that.
    nonisolated func harm(to bundle: PluginBundle) throws(AtriumError) -> AtriumError? {
        do throws(AtriumError) {
            try requireSound(bundle)
            return nil
        } catch {
            // What can't be read may be sound.
            if error.isOfPlace { throw error }
            let harms: Set<AtriumError.Code> = [
                .sealBroken, .unsigned, .signatureInvalid, .manifestInvalid, .bundleUnavailable,
            ]
            return harms.union(Self.disbelief).contains(error.code) ? error : nil
        }
    }

    /// The codes that say that the signature is not trusted, for this bundle or its app groups.
    static let disbelief: Set<AtriumError.Code> = [.keyRevoked, .teamUnknown, .teamForeign, .groupForeign]

    /// Puts a version in its place anew, from a package with the same seal.
    ///
    /// - Returns: the version, with the key that has signed it now.
    /// - Throws: ``AtriumError`` with code `versionUnknown` when there is no such package, `versionReused` when its seal is
    ///   another one, and what is wrong with it or its signer.
    nonisolated func repair(
        _ bundle: PluginBundle, _ packages: [CatalogPackage]
    ) throws(AtriumError) -> PluginBundle {
        try checkOrigin(of: bundle, packages)
        // What is installed may stay when its key has had its time, and so it may come back.
        return try installer.putAnew(bundle, from: try sealed(bundle.identity, packages, for: .load))
    }
}
