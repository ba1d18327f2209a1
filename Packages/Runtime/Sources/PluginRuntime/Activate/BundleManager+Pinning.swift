public import Registry
public import PluginCore

/// Pins, which limit the versions to which a bundle is updated.
extension BundleManager {
    /// Pins an installed bundle to a range of versions.
    ///
    /// Only a rollback after a crash can move it out of the range. A staged version outside the range is unstaged.
    ///
    /// - Parameter versions: the range; `nil` for the active version only.
    /// - Returns: the pin, and the version that was unstaged.
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `sandboxBusy`, `sandboxUnwritable` or `registryDamaged`.
    @discardableResult
    public func pin(
        _ identifier: String, to versions: VersionRange? = nil
    ) async throws -> (pin: VersionPin, unstaged: PluginBundle?) {
        _ = try requireInstalled(identifier)
        return try await exclusively {
            let active = try self.requireInstalled(identifier).active.identity.version
            try self.registry.pins.pin(identifier, to: versions ?? VersionRange(exactly: active))
            guard let pin = try self.registry.pins.pin(of: identifier) else {
                throw AtriumError(.registryDamaged, identifier, detail: "its pin was not kept")
            }
            guard let staged = try self.registry.staged.version(of: identifier), pin.excludes(staged.identity.version)
            else {
                return (pin, nil)
            }
            try self.unstage([staged])
            return (pin, staged)
        }
    }

    /// Removes the pin of an installed bundle, whether a user or a rollback has set it.
    ///
    /// - Returns: the removed pin; `nil` when there was none.
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `sandboxBusy`, `sandboxUnwritable` or `registryDamaged`.
    @discardableResult
    public func unpin(_ identifier: String) async throws -> VersionPin? {
        _ = try requireInstalled(identifier)
        if try registry.pins.pin(of: identifier) == nil { return nil }
        return try await exclusively {
            let pin = try self.registry.pins.pin(of: identifier)
            try self.registry.pins.remove(identifier)
            return pin
        }
    }
}
