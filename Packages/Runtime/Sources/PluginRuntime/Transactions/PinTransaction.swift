import HostSystem
import Registry
import PluginCore

/// The transaction that limits the versions to which a bundle is updated, or lifts that limit.
struct PinTransaction: Sendable {
    let registry: Registry
    let writer: SandboxWriter
    let staged: StagedUpdates

    /// Pins an installed bundle to a range of versions.
    ///
    /// See ``BundleManager/pin(_:to:)`` for the details and errors.
    func pin(_ identifier: BundleIdentifier, to versions: VersionRange?) async throws -> (
        pin: VersionPin, unstaged: PluginBundle?
    ) {
        try await writer.change { () throws -> SandboxWriter.Planned<VersionRange, (VersionPin, PluginBundle?)> in
            let active = try registry.requireInstalled(identifier).active.identity.version
            return .change(versions ?? VersionRange(exactly: active))
        } applying: { range in
            try registry.pins.pin(identifier, to: range)
            guard let pin = try registry.pins.pin(of: identifier) else {
                throw AtriumError(.registryDamaged, identifier, reason: "pinLost")
            }
            guard let version = try registry.staged.version(of: identifier), pin.excludes(version.identity.version)
            else {
                return (pin, nil)
            }
            try staged.unstage([version])
            return (pin, version)
        }
    }

    /// Removes the pin of an installed bundle, whether a user or a rollback has set it.
    ///
    /// See ``BundleManager/unpin(_:)`` for the errors.
    func unpin(_ identifier: BundleIdentifier) async throws -> VersionPin? {
        try await writer.change { () throws -> SandboxWriter.Planned<VersionPin, VersionPin?> in
            _ = try registry.requireInstalled(identifier)
            return try registry.pins.pin(of: identifier).map { .change($0) } ?? .done(nil)
        } applying: { pin in
            try registry.pins.remove(identifier)
            return pin
        }
    }
}
