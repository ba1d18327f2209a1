import HostSystem
import PluginCore
import Registry
import SQLite

/// The replacement of a registry by a rebuilt one.
extension Registry {
    /// Builds a new registry next to this one in one transaction, and replaces this one atomically.
    ///
    /// After an interruption, one of the two is intact; after an error, it is this one.
    ///
    /// - Returns: the path of the old registry; `nil` when there was none.
    func replace(filling fill: (Registry) throws -> Void) throws(AtriumError) -> FilePath? {
        let place = sandbox.newRegistry
        let new = Registry(sandbox, at: place, converters: converters, layers: layers)
        for ending in [""] + Self.companions { try FileSystem.remove(FilePath(place.string + ending)) }
        do {
            try new.write { _ in
                _ = try new.begin()
                try fill(new)
            }
            new.disconnect()
            let kept = try whileUnwritten { () throws(AtriumError) in
                let kept = try moveAside()
                try FileSystem.rename(place, to: sandbox.registry)
                return kept
            }
            disconnect()
            try FileSystem.sync(sandbox.registry.parent)
            return kept
        } catch {
            new.removeFile()
            throw error
        }
    }

    /// Renames anything but regular files from the paths of SQLite's journal files, so that the registry can be read.
    func moveForeignCompanionsAside() throws(AtriumError) {
        for ending in Self.companions {
            let companion = FilePath(sandbox.registry.string + ending)
            switch try FileSystem.item(at: companion) {
            case .file, nil: continue
            case .folder, .link, .other:
                try FileSystem.rename(companion, to: FilePath(sandbox.freeNameForOldRegistry().string + ending))
            }
        }
    }

    /// Gives the old file a second name, so that there is always a registry, and moves its journal files to that name.
    ///
    /// A journal belongs to one database, and must never be applied to the new one.
    private func moveAside() throws(AtriumError) -> FilePath? {
        let kept = try sandbox.freeNameForOldRegistry()
        let isThere = try FileSystem.item(at: sandbox.registry) != nil
        if isThere { try FileSystem.giveName(kept, to: sandbox.registry) }
        // The journals aren't needed here any longer: opening the registry has just applied any that was valid.
        for ending in Self.companions {
            let companion = FilePath(sandbox.registry.string + ending)
            guard try FileSystem.item(at: companion) != nil else { continue }
            try FileSystem.rename(companion, to: FilePath(kept.string + ending))
        }
        return isThere ? kept : nil
    }

    /// Runs a closure while no other process writes to the registry; no process can write to a file that SQLite can't open.
    private func whileUnwritten<R>(_ body: () throws(AtriumError) -> R) throws(AtriumError) -> R {
        var outcome: Result<R, AtriumError>?
        do {
            _ = try read { database in
                // The read may be repeated, but the closure runs once.
                try database.transaction { outcome = outcome ?? Result { () throws(AtriumError) in try body() } }
            }
        } catch {
            guard outcome != nil || error.code == .registryDamaged else { throw error }
        }
        if let outcome { return try outcome.get() }
        return try body()
    }
}

extension Sandbox {
    /// The path of a registry that is being built.
    var newRegistry: FilePath { FilePath(registry.string + ".new") }

    private var oldRegistryPrefix: String { registry.lastComponent + ".damaged-" }

    /// Returns the replaced registries with their journal files.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when they can't be listed.
    func oldRegistries() throws(AtriumError) -> [FilePath] { try registries(named: oldRegistryPrefix) }

    /// Returns the leftovers of rebuilt registries: replaced and incomplete ones.
    ///
    /// - Throws: as ``oldRegistries()``.
    func registryLeftovers() throws(AtriumError) -> [FilePath] {
        try oldRegistries() + registries(named: newRegistry.lastComponent)
    }

    /// Returns a name that no replaced registry has.
    fileprivate func freeNameForOldRegistry() throws(AtriumError) -> FilePath {
        let taken = Set(try oldRegistries().map(\.string))
        var place = registry.parent.appending("\(oldRegistryPrefix)\(Clock.now())")
        let first = place.string
        var number = 1
        while ([""] + Registry.companions).contains(where: { taken.contains(place.string + $0) }) {
            number += 1
            place = FilePath("\(first).\(number)")
        }
        return place
    }

    private func registries(named prefix: String) throws(AtriumError) -> [FilePath] {
        let folder = registry.parent
        guard try FileSystem.item(at: folder) != nil else { return [] }
        return try FileSystem.names(in: folder).filter { $0.hasPrefix(prefix) }.map { folder.appending($0) }
    }
}
