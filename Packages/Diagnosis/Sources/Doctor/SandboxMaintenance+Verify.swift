public import BundleFormat
public import PluginCore
public import PluginRuntime
public import Registry

/// The result of verifying an installed version.
public struct VerifiedVersion: Hashable, Sendable {
    /// The version.
    public let bundle: PluginBundle
    /// The differences from the seal, and the problems with its signer; empty for a valid version.
    public let findings: [SealFinding]
}

extension SandboxMaintenance {
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
}

extension LoadPolicy {
    /// Verifies a version for a report, in which an unreadable file is a finding too.
    ///
    /// - Throws: the errors of the trust store, and as ``SealedFolder/report(by:expecting:)``.
    func reportedFindings(about bundle: PluginBundle) throws(AtriumError) -> [SealFinding] {
        do throws(AtriumError) {
            return try findings(about: bundle)
        } catch {
            guard SealFinding.unreadCodes.contains(error.code) else { throw error }
            return [SealFinding(error.code, error.subject, error.reason ?? .error(error))]
        }
    }
}

extension BundleManager {
    /// Returns the active versions that this host cannot load, each with the reason.
    ///
    /// - Throws: the errors of the registry, and ``AtriumError`` with code `inputOutput` when a library can't be read.
    public func unloadable() throws(AtriumError) -> [(bundle: PluginBundle, reason: AtriumError)] {
        var found: [(bundle: PluginBundle, reason: AtriumError)] = []
        for bundle in try registry.active.all().map(\.active) {
            if let reason = try policy.loadRefusal(of: bundle) { found.append((bundle, reason)) }
        }
        return found
    }
}
