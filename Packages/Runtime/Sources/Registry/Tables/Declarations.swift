import HostSystem
public import PluginCore
public import PluginRouter
import SQLite

/// The declarations of the active versions: routes, targets, services, extensions, requirements.
extension Registry {
    /// Checks that no other bundle has a route, target, service, extension or extension point of a manifest.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict`, `targetConflict`, `serviceConflict` or `extensionConflict`.
    package func requireFree(_ manifest: Manifest) throws(AtriumError) {
        for route in manifest.routes { try routes.requireFree(route, for: manifest.identity.identifier) }
        try connection.requireFreeNames(manifest)
    }
}

extension RegistryConnection {
    fileprivate var targetRecords: LayerRecordTable<[ActionDeclaration]> { .init(connection: self, layer: "target") }
    fileprivate var serviceRecords: LayerRecordTable<String> { .init(connection: self, layer: "service") }
    private var requirementRecords: LayerRecordTable<String> { .init(connection: self, layer: "requirement") }

    /// Checks that no other bundle has a name of a manifest, which are all names but those of routes.
    fileprivate func requireFreeNames(_ manifest: Manifest) throws(AtriumError) {
        let identifier = manifest.identity.identifier
        let names: [(layer: String, names: [String], code: AtriumError.Code)] = [
            ("target", manifest.targets.map(\.name), .targetConflict), ("service", manifest.services, .serviceConflict),
            (ExtensionLayers.declarations, manifest.extensions.map(\.identifier.text), .extensionConflict),
            (ExtensionLayers.points, manifest.extensionPoints.map(\.identifier), .extensionConflict),
        ]
        for (layer, names, code) in names {
            for name in names {
                let holder = try LayerRecordTable<String>(connection: self, layer: layer).owner(of: name)
                if let holder, holder != identifier { throw .taken(code, name, of: identifier, by: holder) }
            }
        }
    }

    /// Adds the declarations of a manifest.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict`, `targetConflict`, `serviceConflict` or `extensionConflict`.
    func addDeclarations(_ manifest: Manifest) throws(AtriumError) {
        let identifier = manifest.identity.identifier
        for route in manifest.routes { try routes.add(route, of: identifier) }
        try requireFreeNames(manifest)
        for target in manifest.targets { try targetRecords.set(target.name, of: identifier, target.actions) }
        for service in manifest.services { try serviceRecords.set(service, of: identifier, "") }
        try addExtensions(of: manifest)
        for requirement in manifest.requirements {
            try requirementRecords.set("\(requirement.identifier)/\(identifier)", of: identifier, "")
        }
    }

    /// Removes the declarations of a bundle.
    func removeDeclarations(of identifier: BundleIdentifier) throws(AtriumError) {
        try execute("DELETE FROM route WHERE owner = ?", identifier)
        try removeRecords(
            of: identifier,
            in: [
                "target", "service", "requirement", ExtensionLayers.declarations, ExtensionLayers.index,
                ExtensionLayers.points,
            ])
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

/// The targets and services of active versions, each declared by one bundle.
extension RegistryTables {
    /// Returns a target as declared by the active version of its bundle.
    public func target(named name: String) throws(AtriumError) -> TargetListing? {
        try connection.targetRecords.record(name).map { record in
            TargetListing(TargetDeclaration(name: name, actions: record.content), owner: record.owner.text)
        }
    }

    /// Returns all target names, sorted.
    public func targetNames() throws(AtriumError) -> [String] { try connection.targetRecords.keys() }

    /// Returns the bundle whose active version declares a service.
    public func owner(ofService name: String) throws(AtriumError) -> String? {
        try connection.serviceRecords.owner(of: name)?.text
    }

    /// Returns all service names, sorted.
    public func serviceNames() throws(AtriumError) -> [String] { try connection.serviceRecords.keys() }

    /// Returns the bundles whose active versions require a bundle, on demand or not, sorted.
    package func dependents(of identifier: BundleIdentifier) throws(AtriumError) -> [BundleIdentifier] {
        // A zero follows a slash.
        try connection.query(
            """
            SELECT owner FROM layer_record
            WHERE layer = 'requirement' AND key > ?1 || '/' AND key < ?1 || '0' ORDER BY key
            """, identifier
        ) { try $0["owner"] }
    }
}

// The codes of changes that the registry rejects.
extension AtriumError.Code {
    /// Two bundles that provide a target with the same name.
    public static let targetConflict = Self("targetConflict")
    /// A rollback for which no version is kept that may run.
    public static let nothingToRollBack = Self("nothingToRollBack")
}
