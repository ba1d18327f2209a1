public import BundleFormat
public import Registry
import Trust
import HostSystem
internal import PluginCore
internal import PluginRouter

/// The result of verifying an installed version.
public struct VerifiedVersion: Hashable, Sendable {
    /// The staged version.
    public let bundle: PluginBundle
    /// The differences from the seal, and the problems with its signer; empty for a valid version.
    public let findings: [SealFinding]
}

/// Maintenance of the installed bundles.
extension BundleManager {
    /// Reads all files of the versions in the registry, and verifies them against their seals and the trust store.
    ///
    /// - Parameter identifiers: the bundles to verify; `nil` for all.
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `trustInvalid`, `registryDamaged`.
    public func verify(_ identifiers: [String]? = nil) throws -> [VerifiedVersion] {
        for identifier in identifiers ?? [] { _ = try requireInstalled(identifier) }
        return try registry.versions.all().filter { identifiers?.contains($0.identity.identifier) ?? true }.map {
            VerifiedVersion(bundle: $0, findings: try reportedFindings(about: $0))
        }
    }

    /// Removes everything that the registry doesn't list and no process uses, and versions that are no longer valid rollback targets.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxBusy`, `sandboxUnwritable`, `registryDamaged`.
    public func collectGarbage() async throws -> CollectionReport {
        guard try FileSystem.item(at: sandbox.plugins) != nil else { return CollectionReport() }
        return try await exclusively {
            try self.registry.releaseUnreachable()
            return try self.installer.collector.collect()
        }
    }

    /// Verifies a version for a report, in which an unreadable file is a finding too.
    nonisolated func reportedFindings(about bundle: PluginBundle) throws(AtriumError) -> [SealFinding] {
        do throws(AtriumError) {
            return try findings(about: bundle)
        } catch {
            guard SealFinding.unreadCodes.contains(error.code) else { throw error }
            return [SealFinding(error.code, error.subject, error.detail)]
        }
    }

    /// Verifies a version.
    ///
    /// - Throws: the errors of the trust store, and as ``SealedFolder/verdict(by:expecting:)``.
    nonisolated func findings(
        about bundle: PluginBundle, for purpose: TrustStore.Purpose = .load
    ) throws(AtriumError) -> [SealFinding] {
        let verification = SignatureVerification.trust(try trustPolicy.store(), purpose, at: Clock.now())
        return try SealedFolder(sandbox.folder(of: bundle), converters: converters)
            .verdict(by: verification, expecting: bundle.digest).findings
    }
}
