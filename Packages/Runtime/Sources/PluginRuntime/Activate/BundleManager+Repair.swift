import Registry
import Trust
import HostSystem
import PluginCore

/// The repair of versions whose files differ from their seals, or whose signers are no longer trusted.
extension BundleManager {
    /// Returns the requested active versions that are damaged, missing or no longer trusted, which another copy or signature may repair.
    nonisolated func damaged(among requests: [InstallRequest]) throws(AtriumError) -> [PluginBundle] {
        var damaged: [PluginBundle] = []
        for case .install(let identifier, let version) in requests {
            guard let active = try registry.active.version(of: identifier),
                version.map({ $0 == active.identity.version }) ?? true
            else { continue }
            if try harm(to: active) != nil { damaged.append(active) }
        }
        return damaged
    }

    /// Separates requests for a damaged rollback target below the active version, which is repaired without becoming active.
    nonisolated func partition(
        _ requests: [InstallRequest]
    ) throws(AtriumError) -> (kept: [PluginBundle], others: [InstallRequest]) {
        var kept: [PluginBundle] = []
        var others: [InstallRequest] = []
        for request in requests {
            if case .install(let identifier, let version?) = request,
                let installed = try registry.active.bundle(identifier),
                let previous = installed.previous, previous.identity.version == version,
                version < installed.active.identity.version, try harm(to: previous) != nil
            {
                kept.append(previous)
            } else {
                others.append(request)
            }
        }
        return (kept, others)
    }

    /// Returns what is wrong with an installed version, if another package of it could repair that.
    nonisolated func harm(to bundle: PluginBundle) throws(AtriumError) -> AtriumError? {
        do throws(AtriumError) {
            try requireSound(bundle)
            return nil
        } catch {
            // A version that can't be read may be intact.
            if error.isEnvironmental { throw error }
            let harms: Set<AtriumError.Code> = [
                .sealBroken, .unsigned, .signatureInvalid, .manifestInvalid, .bundleUnavailable,
            ]
            return harms.union(Self.disbelief).contains(error.code) ? error : nil
        }
    }

    /// The codes that say that the signature is not trusted, for this bundle or its app groups.
    static let disbelief: Set<AtriumError.Code> = [.keyRevoked, .teamUnknown, .teamForeign, .groupForeign]

    /// Repairs a version from a package with the same seal.
    ///
    /// - Returns: the version with its current signer.
    /// - Throws: ``AtriumError`` with code `versionUnknown` when there is no such package, `versionReused` when its seal
    ///   differs, and the errors of the package or its signer.
    nonisolated func repair(
        _ bundle: PluginBundle, _ packages: [CatalogPackage]
    ) throws(AtriumError) -> PluginBundle {
        try checkOrigin(of: bundle, packages)
        // An installed version stays usable after its key expires, so it can be restored too.
        return try installer.putAnew(bundle, from: try sealed(bundle.identity, packages, for: .load))
    }
}
