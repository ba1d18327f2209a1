import CatalogFormat
import PluginCatalog
import PluginCore
import Registry

/// The active versions that the catalog has revoked.
public struct RevokedVersions: Sendable {
    let registry: Registry
    let planner: ChangePlanner
    let install: InstallTransaction
    let quarantine: CrashQuarantine

    /// Replaces each active version that is revoked: by an update, or else by the version before it; without either, it is disabled.
    ///
    /// A revoked content is never installed again.
    ///
    /// - Returns: The results for the bundles that changed.
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`, and as ``InstallTransaction/run(_:offering:staging:)``.
    @discardableResult
    public func replace() async throws -> [InstallReport] {
        let catalog = planner.catalog
        guard catalog.isRemote else { return [] }
        let active = try registry.active.all().map(\.active)
        let revoked = try await catalog.fetching {
            var revoked: [(bundle: PluginBundle, reason: String)] = []
            var failure: AtriumError?
            // All are asked before the first error, so that everything that is missing is fetched together.
            for bundle in active {
                do throws(AtriumError) {
                    let versions = try catalog.revocations(of: bundle.identity.identifier)
                    guard let version = versions.first(where: { $0.sealDigest == bundle.digest }) else { continue }
                    revoked.append((bundle, version.reason))
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
            return revoked
        }
        var reports: [InstallReport] = []
        for (bundle, reason) in revoked {
            let identifier = bundle.identity.identifier
            // Without an update, the version must not stay either.
            reports += (try? await install.run([.update(identifier)]).filter(\.isChange)) ?? []
            reports += try await quarantine.quarantine(
                bundle, because: ErrorReason("versionRevoked", ["reason": .text(reason)]))
        }
        return reports
    }
}
