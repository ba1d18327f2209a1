public import PluginCore

/// Pins.
extension BundleManager {
    /// Keeps an installed bundle within a range of versions: nothing moves it out of it but a crash, which goes back. A staged version
    /// outside the range is dropped.
    ///
    /// - Parameter versions: the range; `nil` for the active version alone.
    /// - Returns: the pin, and the staged version that was dropped.
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `sandboxBusy`, `sandboxUnwritable` or `registryDamaged`.
    @discardableResult
    public func pin(
        _ identifier: String, to versions: VersionRange? = nil
    ) async throws -> (pin: VersionPin, unstaged: PluginBundle?) {
        _ = try requireInstalled(identifier)
        return try await exclusively {
            let active = try self.requireInstalled(identifier).active.identity.version
            try self.registry.pin(identifier, to: versions ?? VersionRange(exactly: active))
            guard let pin = try self.registry.pin(of: identifier) else {
                throw AtriumError(.registryDamaged, identifier, detail: "its pin was not kept")
            }
            guard let staged = try self.registry.staged(identifier), pin.excludes(staged.identity.version) else {
                return (pin, nil)
            }
            try self.drop([staged])
            return (pin, staged)
        }
    }

    /// Lets an installed bundle move again, whether it was pinned or rolled back.
    ///
    /// - Returns: the pin that it had; `nil` for none.
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `sandboxBusy`, `sandboxUnwritable` or `registryDamaged`.
    @discardableResult
    public func unpin(_ identifier: String) async throws -> VersionPin? {
        _ = try requireInstalled(identifier)
        if try registry.pin(of: identifier) == nil { return nil }
        return try await exclusively {
            let pin = try self.registry.pin(of: identifier)
            try self.registry.unpin(identifier)
            return pin
        }
    }
}
