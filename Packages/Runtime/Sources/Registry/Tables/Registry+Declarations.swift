import PluginCore
import PluginRouter
import SQLite

/// The declarations of the active versions, as rows: routes, targets with their actions, services, requirements.
extension Registry {
    /// Adds the declarations of a manifest.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict`, `targetConflict` or `serviceConflict`.
    func list(_ manifest: Manifest, in database: Database) throws {
        let identifier = manifest.identity.identifier
        for declaration in manifest.routes { try list(declaration, of: identifier, in: database) }
        for target in manifest.targets { try Self.list(target, of: identifier, in: database) }
        for service in manifest.services {
            if let holder = try Self.holder(ofService: service, in: database) {
                throw AtriumError.taken(.serviceConflict, service, of: identifier, by: holder)
            }
            try database.execute("INSERT INTO service VALUES (?, ?)", service, identifier)
        }
        for requirement in manifest.requirements {
            try database.execute(
                "INSERT OR REPLACE INTO requirement VALUES (?, ?, ?, ?)", identifier, requirement.identifier,
                requirement.versions.description, requirement.isOnDemand ? 1 : 0
            )
        }
    }

    /// Removes the declarations of a bundle.
    static func unlist(_ identifier: String, in database: Database) throws {
        try database.execute(
            "DELETE FROM route_shape WHERE route IN (SELECT number FROM route WHERE owner = ?)", identifier
        )
        try database.execute("DELETE FROM route WHERE owner = ?", identifier)
        try database.execute(
            "DELETE FROM action WHERE target IN (SELECT name FROM target WHERE owner = ?)", identifier
        )
        try database.execute("DELETE FROM target WHERE owner = ?", identifier)
        try database.execute("DELETE FROM service WHERE owner = ?", identifier)
        try database.execute("DELETE FROM requirement WHERE owner = ?", identifier)
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
        for expansion in pattern.expansions {
            if let holder = try Self.holder(of: expansion, in: database) {
                throw AtriumError.routeTaken(declaration, of: identifier, by: holder, at: expansion)
            }
            try database.execute(
                "INSERT INTO route_shape VALUES (?, ?, ?)", expansion.canonicalKey, expansion.firstSegment, number)
        }
    }
}
