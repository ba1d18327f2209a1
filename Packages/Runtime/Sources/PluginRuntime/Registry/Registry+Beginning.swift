import PluginCore
import SQLite

/// The first and the last moment of a registry, and how a lost one is told from one that has not begun.
extension Registry {
    /// A Boolean value that indicates whether anything was ever noted here. A file that somebody has emptied is a database to SQLite, and has not begun.
    var hasBegun: Bool {
        get throws(AtriumError) {
            try read(Self.hasBegun) ?? false
        }
    }

    static func hasBegun(in database: Database) throws -> Bool {
        try database.value(
            """
            SELECT EXISTS (SELECT 1 FROM note WHERE name = 'begun') OR EXISTS (SELECT 1 FROM history)
                OR EXISTS (SELECT 1 FROM bundle)
            """, as: Bool.self) ?? false
    }

    /// Returns whether it is there to say what is installed; every connection was asked when it was opened, and somebody may have emptied the
    /// file since.
    ///
    /// - Throws: ``AtriumError`` with code `registryDamaged` when it is lost.
    func requireKept() throws(AtriumError) {
        _ = try read { database in try requireKept { try Self.hasBegun(in: database) } }
    }

    /// Returns whether it is there to say what is installed. One that is lost would say that nothing is, and what lies on the disk would be
    /// taken for remains.
    ///
    /// - Parameter hasBegun: asked again once a version was found: whoever put the first in place has begun a registry before.
    /// - Throws: ``AtriumError`` with code `registryDamaged` when it is lost.
    func requireKept(_ hasBegun: () throws -> Bool) throws {
        // One in the making lies elsewhere, and has yet to be told of the versions.
        guard path == sandbox.registry, try !hasBegun(), let version = try sandbox.versionFolders().first,
            try !hasBegun()
        else { return }
        throw AtriumError(
            .registryDamaged, path.string,
            detail: "it is lost, and versions lie on the disk that it has to know of, such as \(version)")
    }

    /// Begins a registry before the first version is put in its place, so that versions which no registry knows of are always a
    /// loss, and never an install that was interrupted. The floors that an earlier one has left hold in it.
    ///
    /// - Returns: whether it had not begun.
    func begin() throws(AtriumError) -> Bool {
        if try hasBegun { return false }
        let floors = try floorFiles.read()
        try write { database in
            try database.execute("INSERT INTO note VALUES ('begun', ?)", String(Clock.now()))
            for (identifier, version) in floors {
                try Self.raiseFloor(BundleIdentity(identifier: identifier, version: version), in: database)
            }
        }
        return true
    }

    /// Removes a registry that was begun and tells of nothing; but not while versions lie on the disk, which it keeps from being
    /// taken for lost.
    func removeIfUnused() {
        guard (try? isEmpty()) == true, (try? sandbox.versionFolders().isEmpty) == true else { return }
        removeFile()
    }
}
