import PluginCore
import PluginRouter
import SQLite

/// The switch: which version of a bundle is active changes here, and nowhere else, each time in one transaction.
extension Registry {
    /// Makes a version active, with its routes and targets; the one before is kept to go back to.
    ///
    /// - Parameters:
    ///   - bundle: the version, whole and in its place on the disk.
    ///   - manifest: its manifest.
    ///   - source: the manifest's file.
    /// - Returns: the versions that the registry has let go of.
    /// - Throws: ``AtriumError`` with code `routeConflict`, `targetConflict` or `serviceConflict` when another bundle has what this one
    ///   declares.
    func activate(
        _ bundle: PluginBundle, _ manifest: Manifest, source: [UInt8]
    ) throws(AtriumError) -> [PluginBundle] {
        let before = try installed(bundle.identity.identifier)
        // The same version from another package replaces it: what to go back to stays.
        let previous = before?.active.identity == bundle.identity ? before?.previous : before?.active
        return try write { database in
            try database.execute(
                "INSERT OR REPLACE INTO bundle VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                bundle.identity.identifier, bundle.identity.version.description, bundle.digest, bundle.name,
                bundle.summary, bundle.kind.rawValue, bundle.entry, bundle.appGroups.joined(separator: "\n"),
                bundle.size, bundle.installedAt, source
            )
            try set(bundle, previous: previous, manifest, in: database)
            try Self.record(
                before == nil ? .installed : .updated, bundle.identity, before: before?.active, in: database
            )
            let outdated = [before?.active, before?.previous].compactMap { $0 }.filter { old in
                ![bundle, previous].contains { $0?.identity == old.identity && $0?.digest == old.digest }
            }
            try Self.forget(outdated, in: database)
            return outdated
        }
    }

    /// Makes the previous version active; the one it replaces becomes the previous one.
    func rollBack(_ installed: InstalledBundle, to previous: PluginBundle, _ manifest: Manifest) throws(AtriumError) {
        try write { database in
            try set(previous, previous: installed.active, manifest, in: database)
            try Self.record(.rolledBack, previous.identity, before: installed.active, in: database)
        }
    }

    /// Lets go of all versions of a bundle.
    func remove(_ installed: InstalledBundle) throws(AtriumError) {
        let identity = installed.active.identity
        try write { database in
            try Self.unlist(identity.identifier, in: database)
            try database.execute("DELETE FROM active WHERE identifier = ?", identity.identifier)
            try Self.forget([installed.active, installed.previous].compactMap { $0 }, in: database)
            try Self.record(.uninstalled, identity, before: installed.active, in: database)
        }
    }

    /// Lets go of a bundle that has just been installed for the first time, as if it never had been.
    func takeBack(_ installed: InstalledBundle) throws(AtriumError) {
        let identifier = installed.active.identity.identifier
        try write { database in
            try Self.unlist(identifier, in: database)
            try database.execute("DELETE FROM active WHERE identifier = ?", identifier)
            try Self.forget([installed.active, installed.previous].compactMap { $0 }, in: database)
            try database.execute(
                "DELETE FROM history WHERE sequence = (SELECT max(sequence) FROM history WHERE identifier = ?)",
                identifier
            )
        }
        if try identifiers().isEmpty, try history().isEmpty { removeFile() }
    }

    private func set(
        _ bundle: PluginBundle, previous: PluginBundle?, _ manifest: Manifest, in database: Database
    ) throws {
        let identifier = bundle.identity.identifier
        try Self.unlist(identifier, in: database)
        try database.execute(
            "INSERT OR REPLACE INTO active VALUES (?, ?, ?, ?, ?)", identifier, bundle.identity.version.description,
            bundle.digest, previous?.identity.version.description, previous?.digest
        )
        for declaration in manifest.routes {
            try list(declaration, of: identifier, in: database)
        }
        for target in manifest.targets { try Self.list(target, of: identifier, in: database) }
        for service in manifest.services {
            if let holder = try Self.holder(ofService: service, in: database) {
                throw AtriumError.taken(.serviceConflict, service, of: identifier, by: holder)
            }
            try database.execute("INSERT INTO service VALUES (?, ?)", service, identifier)
        }
    }

    private static func list(
        _ target: TargetDeclaration, of identifier: String, in database: Database
    ) throws {
        if let holder = try holder(ofTarget: target.name, in: database) {
            throw AtriumError.taken(.targetConflict, target.name, of: identifier, by: holder)
        }
        try database.execute("INSERT INTO target VALUES (?, ?)", target.name, identifier)
        for (position, action) in target.actions.enumerated() {
            try database.execute(
                "INSERT INTO action VALUES (?, ?, ?, ?)", target.name, position, action.name, action.exposure.rawValue
            )
        }
    }

    private func list(
        _ declaration: RouteDeclaration, of identifier: String, in database: Database
    ) throws {
        let pattern = try RoutePattern(declaration.pattern, converters: converters)
        try database.execute(
            """
            INSERT INTO route (pattern, kind, name, layout, guards, owner, priority, exposure, deadline, may_decline)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            declaration.pattern, declaration.kind.rawValue, declaration.name, declaration.layout,
            declaration.guards.joined(separator: " "), identifier, declaration.priority,
            declaration.exposure.rawValue, declaration.deadline, declaration.mayDecline ? 1 : 0
        )
        let number = database.lastInsertedRowID
        for form in pattern.forms {
            if let holder = try Self.holder(of: form, in: database) {
                throw AtriumError.routeTaken(declaration, of: identifier, by: holder, at: form)
            }
            try database.execute("INSERT INTO route_shape VALUES (?, ?, ?)", form.shape, form.head, number)
        }
    }

    private static func unlist(_ identifier: String, in database: Database) throws {
        try database.execute(
            "DELETE FROM route_shape WHERE route IN (SELECT number FROM route WHERE owner = ?)", identifier
        )
        try database.execute("DELETE FROM route WHERE owner = ?", identifier)
        try database.execute(
            "DELETE FROM action WHERE target IN (SELECT name FROM target WHERE owner = ?)", identifier
        )
        try database.execute("DELETE FROM target WHERE owner = ?", identifier)
        try database.execute("DELETE FROM service WHERE owner = ?", identifier)
    }

    private static func forget(_ bundles: [PluginBundle], in database: Database) throws {
        for bundle in bundles {
            try database.execute(
                "DELETE FROM bundle WHERE identifier = ? AND version = ? AND digest = ?", bundle.identity.identifier,
                bundle.identity.version.description, bundle.digest
            )
        }
    }

    private static func record(
        _ event: HistoryEntry.Event, _ identity: BundleIdentity, before: PluginBundle?, in database: Database
    ) throws {
        try database.execute(
            "INSERT INTO history (at, identifier, event, version, before) VALUES (?, ?, ?, ?, ?)", Clock.now(),
            identity.identifier, event.rawValue, identity.version.description,
            event == .uninstalled ? nil : before?.identity.version.description
        )
    }
}
