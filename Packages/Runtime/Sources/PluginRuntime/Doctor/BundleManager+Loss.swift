import PluginCore

extension BundleManager {
    /// Whether the registry is there to say what is installed. One that is lost would say that nothing is, and what lies on the
    /// disk would be taken for remains.
    ///
    /// - Throws: ``AtriumError`` with code `registryDamaged`.
    nonisolated func requireRegistry() throws(AtriumError) {
        if try registry.hasBegun { return }
        guard let version = try sandbox.versionFolders().first else { return }
        throw AtriumError(
            .registryDamaged, sandbox.registry.string,
            detail: "it is lost, and versions lie on the disk that it has to know of, such as \(version)")
    }
}
