import HostSystem
public import PluginCore
public import PluginRouter
import SQLite

/// The declarations of the active versions: routes, targets with their actions, services, extensions, requirements.
extension Registry {
    /// Checks that no other bundle has a route, target, service, extension or extension point of a manifest.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict`, `targetConflict`, `serviceConflict` or `extensionConflict`.
    package func requireFree(_ manifest: Manifest) throws(AtriumError) {
        _ = try connection.read { tables in
            for route in manifest.routes { try tables.routes.requireFree(route, for: manifest.identity.identifier) }
            try tables.requireFreeNames(manifest)
        }
    }
}

extension RegistryConnection {
    /// Checks that no other bundle has a name of a manifest, which are all names but those of routes.
    fileprivate func requireFreeNames(_ manifest: Manifest) throws(AtriumError) {
        let identifier = manifest.identity.identifier
        func requireFree(
            _ names: [String], in place: String, _ code: AtriumError.Code
        ) throws(AtriumError) {
            for name in names {
                let holder: BundleIdentifier? = try value("SELECT owner FROM \(place) = ?", name)
                if let holder, holder != identifier { throw .taken(code, name, of: identifier, by: holder) }
            }
        }
        try requireFree(manifest.targets.map(\.name), in: "target WHERE name", .targetConflict)
        try requireFree(manifest.services, in: "service WHERE name", .serviceConflict)
        try requireFree(
            manifest.extensions.map(\.identifier.text), in: "layer_record WHERE layer = 'extension' AND key",
            .extensionConflict)
        try requireFree(
            manifest.extensionPoints.map(\.identifier), in: "layer_record WHERE layer = 'extension-point' AND key",
            .extensionConflict)
    }

    /// Adds the declarations of a manifest.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict`, `targetConflict`, `serviceConflict` or `extensionConflict`.
    func addDeclarations(_ manifest: Manifest) throws(AtriumError) {
        let identifier = manifest.identity.identifier
        for route in manifest.routes { try routes.add(route, of: identifier) }
        try requireFreeNames(manifest)
        for target in manifest.targets { try targets.add(target, of: identifier) }
        for service in manifest.services { try services.add(service, of: identifier) }
        try addExtensions(of: manifest)
        for requirement in manifest.requirements { try requirements.add(requirement, of: identifier) }
    }

    /// Removes the declarations of a bundle.
    func removeDeclarations(of identifier: BundleIdentifier) throws(AtriumError) {
        try routes.removeAll(of: identifier)
        try targets.removeAll(of: identifier)
        try services.removeAll(of: identifier)
        try removeExtensions(of: identifier)
        try requirements.removeAll(of: identifier)
    }
}

extension AtriumError {
    package static func taken(
        _ code: Code, _ name: String, of identifier: BundleIdentifier, by holder: some CustomStringConvertible
    ) -> AtriumError {
        AtriumError(
            code, name, reason: "bothProvide", ["owner": .text(identifier.text), "other": .text(holder.description)])
    }
}

/// The table of targets, each declared by one bundle, with their actions.
public struct TargetTable {
    let connection: RegistryConnection

    /// Returns a target as declared by the active version of its bundle.
    public func target(named name: String) throws(AtriumError) -> TargetListing? {
        let rows = try connection.query(
            """
            SELECT owner, action.name AS action, exposure FROM target LEFT JOIN action ON target = target.name
            WHERE target.name = ? ORDER BY position
            """, name
        ) { (owner: try $0["owner", as: String.self], action: try Self.action($0)) }
        guard let owner = rows.first?.owner else { return nil }
        return TargetListing(TargetDeclaration(name: name, actions: rows.compactMap(\.action)), owner: owner)
    }

    /// Decodes the action of a row.
    ///
    /// - Returns: `nil` for a target without actions.
    private static func action(_ row: borrowing Row) throws -> ActionDeclaration? {
        guard let name = try row["action", as: String?.self] else { return nil }
        return ActionDeclaration(
            name: name, exposure: try row.parse("exposure", of: name) { Exposure(rawValue: $0) })
    }

    /// Returns all target names, sorted.
    public func targets() throws(AtriumError) -> [String] {
        try connection.query("SELECT name FROM target ORDER BY name") { try $0["name"] }
    }

    /// Adds a target of a bundle with its actions, whose name is free.
    func add(_ target: TargetDeclaration, of identifier: BundleIdentifier) throws(AtriumError) {
        try connection.execute("INSERT INTO target (name, owner) VALUES (?, ?)", target.name, identifier)
        for (position, action) in target.actions.enumerated() {
            try connection.execute(
                "INSERT INTO action (target, position, name, exposure) VALUES (?, ?, ?, ?)", target.name, position,
                action.name, action.exposure.rawValue)
        }
    }

    /// Removes all targets of a bundle.
    func removeAll(of identifier: BundleIdentifier) throws(AtriumError) {
        try connection.execute(
            "DELETE FROM action WHERE target IN (SELECT name FROM target WHERE owner = ?)", identifier)
        try connection.execute("DELETE FROM target WHERE owner = ?", identifier)
    }
}

/// The table of services, each declared by one bundle.
public struct ServiceTable {
    let connection: RegistryConnection

    /// Returns the bundle whose active version declares a service.
    public func owner(ofService name: String) throws(AtriumError) -> String? {
        try connection.value("SELECT owner FROM service WHERE name = ?", name)
    }

    /// Returns all service names, sorted.
    public func services() throws(AtriumError) -> [String] {
        try connection.query("SELECT name FROM service ORDER BY name") { try $0["name"] }
    }

    /// Adds a service of a bundle, whose name is free.
    func add(_ name: String, of identifier: BundleIdentifier) throws(AtriumError) {
        try connection.execute("INSERT INTO service (name, owner) VALUES (?, ?)", name, identifier)
    }

    /// Removes all services of a bundle.
    func removeAll(of identifier: BundleIdentifier) throws(AtriumError) {
        try connection.execute("DELETE FROM service WHERE owner = ?", identifier)
    }
}

/// The table of requirements of active versions.
///
/// For versions installed by hosts that didn't distinguish them, all requirements are on demand, whatever their manifests
/// would mean today.
public struct RequirementTable: Sendable {
    let connection: RegistryConnection

    /// Returns the requirements of all active versions, by the requiring bundle.
    public func all() throws(AtriumError) -> [BundleIdentifier: [BundleRequirement]] {
        let rows = try connection.query("SELECT * FROM requirement ORDER BY owner, bundle") { row in
            (owner: try row["owner", as: BundleIdentifier.self], requirement: try BundleRequirement(row))
        }
        return Dictionary(grouping: rows, by: \.owner).mapValues { $0.map(\.requirement) }
    }

    /// Returns the requirements of a bundle's active version, sorted by identifier.
    package func all(of identifier: BundleIdentifier) throws(AtriumError) -> [BundleRequirement] {
        try connection.query(
            "SELECT * FROM requirement WHERE owner = ? ORDER BY bundle", identifier, row: BundleRequirement.init)
    }

    /// Returns the requirements that must be active before a bundle's active version is loaded.
    ///
    /// A record that was read as an active version has them already.
    package func hard(of bundle: PluginBundle) throws(AtriumError) -> [BundleRequirement] {
        if let requirements = bundle.hardRequirements { return requirements }
        return try all(of: bundle.identity.identifier).filter { !$0.isOnDemand }
    }

    /// Returns the bundles whose active versions require a bundle, on demand or not, sorted.
    package func dependents(of identifier: BundleIdentifier) throws(AtriumError) -> [BundleIdentifier] {
        try connection.query("SELECT owner FROM requirement WHERE bundle = ? ORDER BY owner", identifier) {
            try $0["owner"]
        }
    }

    func add(_ requirement: BundleRequirement, of identifier: BundleIdentifier) throws(AtriumError) {
        try connection.execute(
            "INSERT OR REPLACE INTO requirement (owner, bundle, versions, on_demand) VALUES (?, ?, ?, ?)", identifier,
            requirement.identifier, requirement.versions.description, requirement.isOnDemand)
    }

    func removeAll(of identifier: BundleIdentifier) throws(AtriumError) {
        try connection.execute("DELETE FROM requirement WHERE owner = ?", identifier)
    }
}

extension RequirementTable {
    /// A column with the hard requirements of an active version, one on each line, so that a load needs no second query.
    static let hardColumn = """
        (SELECT group_concat(bundle || ' ' || versions, char(10)) FROM requirement
            WHERE owner = active.identifier AND on_demand = 0) AS hard_requirements
        """

    /// Decodes the column of hard requirements.
    static func hard(_ row: borrowing Row, of identifier: BundleIdentifier) throws -> [BundleRequirement] {
        let lines = try row["hard_requirements", as: String?.self]?.split(separator: "\n") ?? []
        return try lines.map { line in
            let words = line.split(separator: " ", maxSplits: 1)
            guard words.count == 2, let required = BundleIdentifier(String(words[0])),
                let versions = VersionRange(String(words[1]))
            else {
                throw AtriumError(.registryDamaged, identifier, reason: "requirementUnreadable", ["line": "\(line)"])
            }
            return BundleRequirement(identifier: required, versions: versions)
        }
    }
}

extension BundleRequirement {
    fileprivate init(_ row: borrowing Row) throws {
        let owner: BundleIdentifier = try row["owner"]
        self.init(
            identifier: try row["bundle"], versions: try row.parse("versions", of: owner) { VersionRange($0) },
            isOnDemand: try row["on_demand"])
    }
}

// The codes of changes that the registry rejects.
extension AtriumError.Code {
    /// Two bundles that provide a target with the same name.
    public static let targetConflict = Self("targetConflict")
    /// A rollback for which no version is kept that may run.
    public static let nothingToRollBack = Self("nothingToRollBack")
}
