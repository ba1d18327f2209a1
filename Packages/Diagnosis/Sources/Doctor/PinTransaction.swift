import HostSystem
public import PluginCore
public import PluginRuntime
public import Registry

extension SandboxTransactions {
    /// The limits of updates.
    public var pins: PinTransaction { PinTransaction(transactions: self) }
}

/// The transaction that limits the versions to which a bundle is updated, or lifts that limit.
public struct PinTransaction: SandboxPart {
    package let transactions: SandboxTransactions

    /// Pins an installed bundle to a range of versions.
    ///
    /// Only a rollback after a crash can move it out of the range. A staged version outside the range is unstaged.
    ///
    /// - Parameter versions: the range; `nil` for the active version only.
    /// - Returns: the pin, and the version that was unstaged.
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `sandboxBusy`, `sandboxUnwritable` or `registryDamaged`.
    @discardableResult
    public func pin(
        _ identifier: BundleIdentifier, to versions: VersionRange? = nil
    ) async throws -> (pin: VersionPin, unstaged: PluginBundle?) {
        try await writer.change {
            let active = try registry.requireInstalled(identifier).active.version
            return versions ?? VersionRange(exactly: active)
        } applying: { range in
            try registry.notes.change(identifier) { $0.pinned = range }
            guard let pin = try registry.notes.notes(about: identifier).pin else {
                throw AtriumError(.registryDamaged, identifier, reason: "pinLost")
            }
            guard let version = try registry.staged.version(of: identifier), pin.excludes(version.version)
            else {
                return (pin, nil)
            }
            try transactions.staged.unstage([version])
            return (pin, version)
        }
    }

    /// Removes the pin of an installed bundle, whether a user or a rollback has set it.
    ///
    /// - Returns: the removed pin; `nil` when there was none.
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `sandboxBusy`, `sandboxUnwritable` or `registryDamaged`.
    @discardableResult
    public func unpin(_ identifier: BundleIdentifier) async throws -> VersionPin? {
        _ = try registry.requireInstalled(identifier)
        // Without a pin, nothing is created or locked.
        if try registry.notes.notes(about: identifier).pin == nil { return nil }
        return try await writer.exclusively {
            let pin = try registry.notes.notes(about: identifier).pin
            try registry.notes.change(identifier) { ($0.pinned, $0.skippedThrough) = (nil, nil) }
            return pin
        }
    }
}
