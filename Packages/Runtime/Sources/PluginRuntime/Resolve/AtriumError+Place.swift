import PluginCore

extension AtriumError {
    /// A Boolean value that indicates whether it speaks against the catalog, the registry, the trust store or the disk as they are just now, and so against no
    /// package: the same may succeed later.
    var isOfPlace: Bool { Self.codesOfPlaces.contains(code) }

    private static let codesOfPlaces: Set<AtriumError.Code> = [
        .catalogUnreachable, .inputOutput, .storageFull, .sandboxUnwritable, .sandboxUnusable, .sandboxBusy,
        .registryDamaged, .registryNewer, .trustInvalid,
    ]
}
