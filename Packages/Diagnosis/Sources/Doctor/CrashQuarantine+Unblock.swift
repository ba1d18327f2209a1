import HostSystem
public import PluginCore
public import PluginRuntime
public import Registry

extension CrashQuarantine {
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
        _ identifier: BundleIdentifier, version: SemanticVersion? = nil
    ) async throws -> [QuarantinedVersion] {
        try await writer.change {
            // The next start of a host would block some more.
            let pending = try crashedVersions(sweeping: false).map { bundle, crash in
                QuarantinedVersion(bundle, because: crash.reason, at: crash.at)
            }
            let all = try registry.quarantine.all() + pending
            let meant = all.filter {
                $0.identity.identifier == identifier && version ?? $0.identity.version == $0.identity.version
            }
            if !meant.isEmpty { return meant }
            let subject = version.map { "\(identifier)@\($0)" } ?? identifier.text
            let known = all.map { version == nil ? $0.identity.identifier.text : $0.identity.description }
            throw AtriumError(
                .nothingToUnblock, subject,
                nearest: Nearest.identifiers(to: subject, in: Set(known).subtracting([subject]).sorted()))
        } applying: { meant in
            let made = Set(try registry.quarantine.all())
            try registry.quarantine.unblock(meant.filter(made.contains))
            for version in meant { forget(version.key) }
            return meant
        }
    }
}

// The code of lifting a block.
extension AtriumError.Code {
    /// A bundle without blocked versions.
    public static let nothingToUnblock = Self("nothingToUnblock")
}
