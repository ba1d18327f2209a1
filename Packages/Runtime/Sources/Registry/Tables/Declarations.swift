import BundleFormat
import HostSystem
public import PluginCore
public import PluginRouter
import SQLite

/// The declarations of the active versions: routes, targets, services, requirements, and those of layers.
extension Registry {
    /// Checks that no other bundle has a route, target, service or declaration of a layer in a manifest.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict`, `targetConflict` or `serviceConflict`, or one of a layer.
    package func requireFree(_ manifest: Manifest) throws(AtriumError) {
        for route in manifest.routes { try routes.requireFree(route, for: manifest.identity.identifier) }
        try connection.requireFreeNames(manifest)
    }
}

/// A layer above the registry that reads fields of its own in manifests.
package protocol DeclaringLayer: Sendable {
    /// Returns the records that the registry has of these fields as long as the version is active.
    func records(of manifest: Manifest) -> [DeclarationRecord]
}

/// A record that the registry has of a declaration as long as its version is active.
package struct DeclarationRecord {
    let layer: String
    let key: String
    let json: String?
    /// The error if another bundle has the same key; `nil` for a key that contains the bundle's name.
    let conflict: AtriumError.Code?

    package init(layer: String, key: String, json: String? = nil, conflict: AtriumError.Code? = nil) {
        (self.layer, self.key, self.json, self.conflict) = (layer, key, json, conflict)
    }
}

extension Manifest {
    /// The records of the runtime's declarations but routes.
    fileprivate var records: [DeclarationRecord] {
        var records = targets.map {
            DeclarationRecord(
                layer: "target", key: $0.name, json: RecordJSON.text(of: $0.actions), conflict: .targetConflict)
        }
        records += services.map { DeclarationRecord(layer: "service", key: $0, conflict: .serviceConflict) }
        return records
            + requirements.map {
                DeclarationRecord(layer: "requirement", key: "\($0.identifier)/\(identity.identifier)")
            }
    }
}

extension RegistryConnection {
    /// Returns the records of all declarations but routes, those of layers included.
    private func records(of manifest: Manifest) -> [DeclarationRecord] {
        manifest.records + registry.layers.flatMap { $0.records(of: manifest) }
    }

    /// Checks that no other bundle has a name of a manifest, which are all names but those of routes.
    fileprivate func requireFreeNames(_ manifest: Manifest) throws(AtriumError) {
        let identifier = manifest.identity.identifier
        for record in records(of: manifest) {
            guard let code = record.conflict, let holder = try owner(of: record.key, in: record.layer),
                holder != identifier
            else { continue }
            throw .taken(code, record.key, of: identifier, by: holder)
        }
    }

    /// Adds the declarations of a manifest.
    ///
    /// - Throws: As ``Registry/requireFree(_:)``.
    func addDeclarations(_ manifest: Manifest) throws(AtriumError) {
        let identifier = manifest.identity.identifier
        for route in manifest.routes { try routes.add(route, of: identifier) }
        try requireFreeNames(manifest)
        for record in records(of: manifest) { try set(record.key, in: record.layer, of: identifier, record.json) }
    }

    /// Removes the declarations of a bundle.
    func removeDeclarations(of identifier: BundleIdentifier) throws(AtriumError) {
        try execute("DELETE FROM route WHERE owner = ?", identifier)
        try removeRecords(of: identifier, areChoices: false)
    }
}

extension AtriumError {
    package static func taken(
        _ code: Code, _ name: String, of identifier: BundleIdentifier, by holder: some CustomStringConvertible
    ) -> Self {
        Self(
            code, name, reason: "bothProvide", ["owner": .text(identifier), "other": "\(holder)"])
    }
}

/// The targets and services of active versions, each declared by one bundle.
extension RegistryTables {
    /// Returns a target as declared by the active version of its bundle.
    public func target(named name: String) throws(AtriumError) -> TargetListing? {
        let targets = LayerRecordTable<[ActionDeclaration]>(connection: connection, layer: "target")
        return try targets.record(name).map { record in
            TargetListing(TargetDeclaration(name: name, actions: record.content), owner: record.owner.text)
        }
    }

    /// Returns all target names, sorted.
    public func targetNames() throws(AtriumError) -> [String] { try connection.keys(in: "target") }

    /// Returns the bundle whose active version declares a service.
    public func owner(ofService name: String) throws(AtriumError) -> String? {
        try connection.owner(of: name, in: "service")?.text
    }

    /// Returns all service names, sorted.
    public func serviceNames() throws(AtriumError) -> [String] { try connection.keys(in: "service") }

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
    /// Two bundles with an extension or an extension point of the same identifier.
    public static let extensionConflict = Self("extensionConflict")
    /// A rollback for which no version is kept that may run.
    public static let nothingToRollBack = Self("nothingToRollBack")
}
