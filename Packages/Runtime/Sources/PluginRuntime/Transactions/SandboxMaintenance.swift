public import BundleFormat
public import Registry
import HostSystem
import PluginCore

/// The result of verifying an installed version.
public struct VerifiedVersion: Hashable, Sendable {
    /// The version.
    public let bundle: PluginBundle
    /// The differences from the seal, and the problems with its signer; empty for a valid version.
    public let findings: [SealFinding]
}

/// The maintenance of the installed bundles.
struct SandboxMaintenance: Sendable {
    let sandbox: Sandbox
    let registry: Registry
    let policy: LoadPolicy
    let collector: Collector
    let writer: SandboxWriter

    /// Reads all files of the versions in the registry, and verifies them against their seals and the trust store.
    ///
    /// See ``BundleManager/verify(_:)`` for the errors.
    func verify(_ identifiers: [BundleIdentifier]?) throws(AtriumError) -> [VerifiedVersion] {
        for identifier in identifiers ?? [] { _ = try registry.requireInstalled(identifier) }
        var verified: [VerifiedVersion] = []
        for bundle in try registry.versions.all() where identifiers?.contains(bundle.identity.identifier) ?? true {
            verified.append(VerifiedVersion(bundle: bundle, findings: try policy.reportedFindings(about: bundle)))
        }
        return verified
    }

    /// Removes everything that the registry doesn't list and no process uses, and versions that are no longer valid rollback targets.
    ///
    /// See ``BundleManager/collectGarbage()`` for the errors.
    func collectGarbage() async throws -> CollectionReport {
        guard try FileSystem.item(at: sandbox.plugins) != nil else { return CollectionReport() }
        return try await writer.exclusively {
            try registry.releaseUnreachable()
            return try collector.collect()
        }
    }
}
