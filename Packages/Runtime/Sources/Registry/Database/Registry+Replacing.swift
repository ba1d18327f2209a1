import HostSystem
package import PluginCore
import SQLite

/// The replacement of a registry by a rebuilt one.
extension Registry {
    /// The suffixes of SQLite's files next to a database.
    package static let companions = ["-journal", "-wal", "-shm"]

    /// Builds a new registry next to this one in one transaction, and replaces this one atomically.
    ///
    /// After an interruption, one of the two is intact; after an error, it is this one.
    ///
    /// - Returns: the path of the old registry; `nil` when there was none.
    package func replace(filling fill: (Registry) throws -> Void) throws(AtriumError) -> FilePath? {
        let place = sandbox.newRegistry
        let new = Registry(sandbox, at: place, converters: converters)
        for ending in [""] + Self.companions { try FileSystem.remove(FilePath(place.string + ending)) }
        do throws(AtriumError) {
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
    package func moveForeignCompanionsAside() throws(AtriumError) {
        for ending in Self.companions {
            let companion = FilePath(sandbox.registry.string + ending)
            switch try FileSystem.item(at: companion) {
            case .file, nil: continue
            case .folder, .link, .other:
                try FileSystem.rename(companion, to: FilePath(try sandbox.freeNameForOldRegistry().string + ending))
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
        do throws(AtriumError) {
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
}
