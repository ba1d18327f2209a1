public import BundleFormat
public import Registry
import HostSystem
public import PluginCore

/// The result of verifying an installed version.
public struct VerifiedVersion: Hashable, Sendable {
    /// The version.
    public let bundle: PluginBundle
    /// The differences from the seal, and the problems with its signer; empty for a valid version.
    public let findings: [SealFinding]
}

/// The maintenance of the installed bundles.
public struct SandboxMaintenance: Sendable {
    let sandbox: Sandbox
    let registry: Registry
    let policy: LoadPolicy
    let collector: Collector
    let writer: SandboxWriter

    /// Reads all files of the versions in the registry, and verifies them against their seals and the trust store.
    ///
    /// - Parameter identifiers: the bundles to verify; `nil` for all.
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `trustInvalid`, `registryDamaged`.
    public func verify(_ identifiers: [BundleIdentifier]? = nil) throws(AtriumError) -> [VerifiedVersion] {
        for identifier in identifiers ?? [] { _ = try registry.requireInstalled(identifier) }
        var verified: [VerifiedVersion] = []
        for bundle in try registry.versions.all() where identifiers?.contains(bundle.identity.identifier) ?? true {
            verified.append(VerifiedVersion(bundle: bundle, findings: try policy.reportedFindings(about: bundle)))
        }
        return verified
    }

    /// Makes all checks of a load without loading anything: the signer, the seal, and the library's content.
    ///
    /// - Throws: the errors of loading.
    public func requireVerified(_ bundle: PluginBundle) throws { try policy.require(bundle, for: .verification) }

    /// Removes everything that the registry doesn't list and no process uses, and versions that are no longer valid rollback targets.
    ///
    /// - Parameter includesKeptData: whether newer data that was set aside is removed, too.
    /// - Throws: ``AtriumError`` with code `sandboxBusy`, `sandboxUnwritable`, `registryDamaged`.
    public func collectGarbage(withKeptData includesKeptData: Bool = false) async throws -> CollectionReport {
        guard try FileSystem.item(at: sandbox.plugins) != nil else { return CollectionReport() }
        return try await writer.exclusively {
            try registry.releaseUnreachable()
            return try collector.collect(withKeptData: includesKeptData)
        }
    }
}
