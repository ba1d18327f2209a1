import HostSystem
package import PluginCore

extension Sandbox {
    /// The path of a registry that is being built.
    package var newRegistry: FilePath { FilePath(registry.string + ".new") }

    package var oldRegistryPrefix: String { registry.lastComponent + ".damaged-" }

    /// Returns the replaced registries with their journal files.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when they can't be listed.
    package func oldRegistries() throws(AtriumError) -> [FilePath] {
        guard try FileSystem.item(at: registry.parent) != nil else { return [] }
        return try FileSystem.names(in: registry.parent).filter { $0.hasPrefix(oldRegistryPrefix) }.map {
            registry.parent.appending($0)
        }
    }

    /// Returns the leftovers of rebuilt registries: replaced and incomplete ones.
    ///
    /// - Throws: as ``oldRegistries()``.
    package func registryLeftovers() throws(AtriumError) -> [FilePath] {
        var leftovers = try oldRegistries()
        for ending in [""] + Registry.companions {
            let path = FilePath(newRegistry.string + ending)
            if try FileSystem.item(at: path) != nil { leftovers.append(path) }
        }
        return leftovers
    }
}

extension Registry {
    /// The suffixes of SQLite's files next to a database.
    package static let companions = ["-journal", "-wal", "-shm"]
}
