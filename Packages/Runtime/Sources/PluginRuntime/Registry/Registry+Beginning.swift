import PluginCore
import SQLite

/// The first and the last moment of a registry, and how a lost one is told from one that has not begun.
extension Registry {
    /// Whether anything was ever noted here. A file that somebody has emptied is a database to SQLite, and has not begun.
    var hasBegun: Bool {
        get throws(AtriumError) {
            try read { database in
                try database.value(
                    """
                    SELECT EXISTS (SELECT 1 FROM note WHERE name = 'begun') OR EXISTS (SELECT 1 FROM history)
                        OR EXISTS (SELECT 1 FROM bundle)
                    """, as: Bool.self)
            }.flatMap { $0 } ?? false
        }
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
