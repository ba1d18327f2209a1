internal import PluginCore
internal import PluginRouter

/// What is wrong with a version on the disk.
public struct VerifiedVersion: Hashable, Sendable {
    /// Which version.
    public let bundle: PluginBundle
    /// What differs from its seal, or speaks against who has signed it; nothing for a sound one.
    public let findings: [SealFinding]
}

/// Looking after what is installed.
extension BundleManager {
    /// Reads all files of the versions that the registry names, and holds them against their seals and the trust store.
    ///
    /// - Parameter identifiers: of which bundles; `nil` for all.
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `trustInvalid`, `registryDamaged`.
    public func verify(_ identifiers: [String]? = nil) throws -> [VerifiedVersion] {
        for identifier in identifiers ?? [] { _ = try requireInstalled(identifier) }
        return try registry.versions().filter { identifiers?.contains($0.identity.identifier) ?? true }.map {
            VerifiedVersion(bundle: $0, findings: try reportedFindings(about: $0))
        }
    }

    /// Takes off the disk what the registry does not name and nobody uses, and what it names and nobody can go back to.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxBusy`, `sandboxUnwritable`, `registryDamaged`.
    public func collectGarbage() async throws -> CollectionReport {
        guard try FileSystem.item(at: sandbox.plugins) != nil else { return CollectionReport() }
        return try await exclusively {
            try self.registry.letGoOfUnreachable()
            return try self.installer.collector.collect()
        }
    }

    /// What is wrong with a version, for a report: what can't be read is a finding too.
    nonisolated func reportedFindings(about bundle: PluginBundle) throws(AtriumError) -> [SealFinding] {
        do throws(AtriumError) {
            return try findings(about: bundle)
        } catch {
            guard SealFinding.unreadCodes.contains(error.code) else { throw error }
            return [SealFinding(error.code, error.subject, error.detail)]
        }
    }

    /// - Throws: what is wrong with the trust store, and as ``SealedFolder/verdict(by:expecting:)``.
    nonisolated func findings(
        about bundle: PluginBundle, for purpose: TrustStore.Purpose = .load
    ) throws(AtriumError) -> [SealFinding] {
        let authority = SealAuthority.trust(try gate.store(), purpose, at: Clock.now())
        return try SealedFolder(sandbox.folder(of: bundle), converters: converters)
            .verdict(by: authority, expecting: bundle.digest).findings
    }
}
