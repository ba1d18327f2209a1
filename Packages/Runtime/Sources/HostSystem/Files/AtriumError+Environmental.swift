import PluginCore

extension AtriumError {
    /// A Boolean value that indicates whether the error is about the environment, and not about a package.
    ///
    /// Such an error concerns the current state of the catalog, the registry, the trust store or the disk, so the same
    /// operation may succeed later.
    package var isEnvironmental: Bool { Self.environmentalCodes.contains(code) }

    private static let environmentalCodes: Set<AtriumError.Code> = [
        .catalogUnreachable, .inputOutput, .storageFull, .sandboxUnwritable, .sandboxUnusable, .sandboxBusy,
        .registryDamaged, .registryNewer, .trustInvalid,
    ]
}
