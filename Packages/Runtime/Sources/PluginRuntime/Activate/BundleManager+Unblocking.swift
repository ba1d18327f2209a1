public import Registry
public import PluginCore

/// Lifting blocks.
extension BundleManager {
    /// Lifts the blocks on versions whose content crashed or hung a host.
    ///
    /// A version that isn't quarantined yet stays active.
    ///
    /// - Parameters:
    ///   - identifier: the bundle.
    ///   - version: the version; `nil` for all versions of the bundle.
    /// - Returns: the versions that were blocked.
    /// - Throws: ``AtriumError`` with code `nothingToUnblock`, `sandboxBusy`, `sandboxUnwritable` or `registryDamaged`.
    @discardableResult
    public func unblock(
        _ identifier: String, version: SemanticVersion? = nil
    ) async throws -> [QuarantinedVersion] {
        let isMeant = { @Sendable (identity: BundleIdentity) in
            identity.identifier == identifier && version.map { $0 == identity.version } ?? true
        }
        // Impossible requests fail here, before anything is locked.
        let crashLogs = crashMonitor.crashLogs
        let all = try registry.quarantine.all() + pendingBlocks(by: crashLogs)
        guard all.contains(where: { isMeant($0.identity) }) else {
            let subject = version.map { "\(identifier)@\($0)" } ?? identifier
            let known = all.map { version == nil ? $0.identity.identifier : $0.identity.description }
            throw AtriumError(
                .nothingToUnblock, subject,
                nearest: Nearest.identifiers(to: subject, in: Set(known).subtracting([subject]).sorted()))
        }
        return try await exclusively {
            let blocked = try self.registry.quarantine.all().filter { isMeant($0.identity) }
            try self.registry.quarantine.unblock(blocked)
            let pending = try self.pendingBlocks(by: crashLogs).filter { isMeant($0.identity) }
            for version in pending { crashLogs.forget(version.identity, digest: version.digest) }
            return blocked + pending
        }
    }

    /// Returns the versions that the next start of a host would block.
    private nonisolated func pendingBlocks(by crashLogs: CrashLogStore) throws(AtriumError) -> [QuarantinedVersion] {
        try crashedVersions(by: crashLogs, sweeping: false).map { bundle, crash in
            QuarantinedVersion(
                identity: bundle.identity, digest: bundle.digest, reason: crash.explanation, at: crash.at)
        }
    }
}
