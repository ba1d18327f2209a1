import PluginCore
import SQLite

/// Another registry in the place of this one.
extension Registry {
    /// What SQLite keeps beside a database.
    static let companions = ["-journal", "-wal", "-shm"]

    /// Makes a new registry beside this one, in one transaction, and puts it in its place in one step. Whatever interrupts it, one
    /// of the two is there, whole; when it throws it is this one.
    ///
    /// - Returns: where this one is kept; `nil` when there was none.
    func replace(filling fill: (Registry) throws -> Void) throws(AtriumError) -> FilePath? {
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
                let kept = try keepAside()
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

    /// Renames what is no file and lies in the place of one of SQLite's own beside the registry, so that the registry can be read.
    func putAwayForeignCompanions() throws(AtriumError) {
        for ending in Self.companions {
            let companion = FilePath(sandbox.registry.string + ending)
            switch try FileSystem.item(at: companion) {
            case .file, nil: continue
            case .folder, .link, .other:
                try FileSystem.rename(companion, to: FilePath(try sandbox.freeNameForOldRegistry().string + ending))
            }
        }
    }

    /// Gives the old file a second name, so that there is no moment without a registry, and its companions that name alone:
    /// a journal belongs to the file that it lay beside, and must never be taken for the new one's.
    private func keepAside() throws(AtriumError) -> FilePath? {
        let kept = try sandbox.freeNameForOldRegistry()
        let isThere = try FileSystem.item(at: sandbox.registry) != nil
        if isThere { try FileSystem.giveName(kept, to: sandbox.registry) }
        // Nobody misses it until then: had it been of use, opening the registry just now would have used it up.
        for ending in Self.companions {
            let companion = FilePath(sandbox.registry.string + ending)
            guard try FileSystem.item(at: companion) != nil else { continue }
            try FileSystem.rename(companion, to: FilePath(kept.string + ending))
        }
        return isThere ? kept : nil
    }

    /// Runs `body` while no other process writes to this registry, and so has no journal. What SQLite cannot open nobody writes to.
    private func whileUnwritten<R>(_ body: () throws(AtriumError) -> R) throws(AtriumError) -> R {
        var outcome: Result<R, AtriumError>?
        do throws(AtriumError) {
            _ = try read { database in
                // It may be read again, and what is done is done once.
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
    /// A registry in the making.
    var newRegistry: FilePath { FilePath(registry.string + ".new") }

    private var oldRegistryPrefix: String { registry.lastComponent + ".damaged-" }

    /// The registries that others took the place of, and what lay beside them.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when they can't be listed.
    func oldRegistries() throws(AtriumError) -> [FilePath] {
        guard try FileSystem.item(at: registry.parent) != nil else { return [] }
        return try FileSystem.names(in: registry.parent).filter { $0.hasPrefix(oldRegistryPrefix) }.map {
            registry.parent.appending($0)
        }
    }

    /// What a registry that was made anew, or was not finished, has left.
    ///
    /// - Throws: as ``oldRegistries()``.
    func registryRemains() throws(AtriumError) -> [FilePath] {
        var remains = try oldRegistries()
        for ending in [""] + Registry.companions {
            let path = FilePath(newRegistry.string + ending)
            if try FileSystem.item(at: path) != nil { remains.append(path) }
        }
        return remains
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
