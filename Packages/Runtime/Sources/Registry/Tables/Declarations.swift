import BundleFormat
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

/// The layers of records about the extensions of active versions, which change in the same transaction as these.
///
/// A rule accepts only input for which it has a key, so the index has a record for each of its keys, and one without a key for an extension
/// without a rule. A look-up for an input reads the records of the input's keys, however many extensions are installed.
package enum ExtensionLayers {
    package static let declarations = "extension"
    package static let index = "extension-index"
    package static let points = "extension-point"
    /// The user's choices, which outlive the versions, and are deleted with the bundle's data.
    package static let choices = "extension-choice"
}

/// A record that the registry has of a declaration as long as its version is active.
private struct DeclarationRecord {
    let layer: String
    let key: String
    var json: String?
    /// The error if another bundle has the same key; `nil` for a key that contains the bundle's name.
    var conflict: AtriumError.Code?
}

extension Manifest {
    /// The records of all declarations but routes.
    fileprivate var records: [DeclarationRecord] {
        var records = targets.map {
            DeclarationRecord(
                layer: "target", key: $0.name, json: RecordJSON.text(of: $0.actions), conflict: .targetConflict)
        }
        records += services.map { DeclarationRecord(layer: "service", key: $0, conflict: .serviceConflict) }
        records += extensions.map {
            DeclarationRecord(
                layer: ExtensionLayers.declarations, key: $0.identifier.text, json: RecordJSON.text(of: $0),
                conflict: .extensionConflict)
        }
        for found in extensions {
            records += found.ruleKeys.map {
                DeclarationRecord(layer: ExtensionLayers.index, key: "\(found.point)/\($0)/\(found.identifier)")
            }
        }
        records += extensionPoints.map {
            DeclarationRecord(
                layer: ExtensionLayers.points, key: $0.identifier, json: RecordJSON.text(of: $0.limits),
                conflict: .extensionConflict)
        }
        return records
            + requirements.map {
                DeclarationRecord(layer: "requirement", key: "\($0.identifier)/\(identity.identifier)")
            }
    }
}

extension ExtensionDeclaration {
    /// The keys of the rule, or an empty one for an extension that accepts any input.
    fileprivate var ruleKeys: [String] {
        guard let activation else { return [""] }
        let rule = try? StrictJSON.decode([String: ManifestJSON].self, from: Array(activation.utf8))
        return rule?.keys.sorted() ?? [""]
    }
}

extension RegistryConnection {
    /// Checks that no other bundle has a name of a manifest, which are all names but those of routes.
    fileprivate func requireFreeNames(_ manifest: Manifest) throws(AtriumError) {
        let identifier = manifest.identity.identifier
        for record in manifest.records {
            guard let code = record.conflict, let holder = try owner(of: record.key, in: record.layer),
                holder != identifier
            else { continue }
            throw .taken(code, record.key, of: identifier, by: holder)
        }
    }

    /// Adds the declarations of a manifest.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict`, `targetConflict`, `serviceConflict` or `extensionConflict`.
    func addDeclarations(_ manifest: Manifest) throws(AtriumError) {
        let identifier = manifest.identity.identifier
        for route in manifest.routes { try routes.add(route, of: identifier) }
        try requireFreeNames(manifest)
        for record in manifest.records { try set(record.key, in: record.layer, of: identifier, record.json) }
    }

    /// Removes the declarations of a bundle.
    func removeDeclarations(of identifier: BundleIdentifier) throws(AtriumError) {
        try execute("DELETE FROM route WHERE owner = ?", identifier)
        let layers = [
            "target", "service", "requirement", ExtensionLayers.declarations, ExtensionLayers.index,
            ExtensionLayers.points,
        ]
        try removeRecords(of: identifier, in: layers)
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
    /// A rollback for which no version is kept that may run.
    public static let nothingToRollBack = Self("nothingToRollBack")
}
