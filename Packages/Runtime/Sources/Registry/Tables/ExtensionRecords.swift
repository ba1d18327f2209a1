package import PluginCore
import SQLite

/// The declaration of an extension as a record of the registry, and its place in the manifest.
package struct ExtensionRecord: Codable, Sendable {
    package let place: Int
    package let point: String
    package let entry: String
    package let name: String
    package let activation: String?
    package let limits: LoweredLimits
}

/// The user's choice about an extension as a record of the registry.
package struct ExtensionChoiceRecord: Codable, Equatable, Sendable {
    package var isEnabled = true
    package var position: Int?
    package var hasContent = true

    package init(isEnabled: Bool = true, position: Int? = nil, hasContent: Bool = true) {
        self.isEnabled = isEnabled
        self.position = position
        self.hasContent = hasContent
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

extension RegistryConnection {
    /// Adds extensions of a bundle, whose identifiers are free.
    func add(_ extensions: [ExtensionDeclaration], of owner: BundleIdentifier) throws(AtriumError) {
        let records = LayerRecordTable<ExtensionRecord>(connection: self, layer: ExtensionLayers.declarations)
        for (place, declaration) in extensions.enumerated() {
            // A layer that understands the rule accepts only an object.
            let rule = declaration.activation.flatMap { $0.hasPrefix("{") ? $0 : nil }
            try records.set(
                declaration.identifier.text, of: owner,
                ExtensionRecord(
                    place: place, point: declaration.point, entry: declaration.entry, name: declaration.name,
                    activation: declaration.activation, limits: declaration.limits))
            try execute(
                """
                INSERT INTO layer_record (layer, key, owner, json)
                SELECT ?1, ?2 || '/' || key || '/' || ?3, ?4, 'null' FROM json_each(coalesce(?5, '{"": 0}'))
                """, ExtensionLayers.index, declaration.point, declaration.identifier, owner, rule)
        }
    }

    /// Adds the extensions and extension points of a manifest, whose identifiers are free.
    func addExtensions(of manifest: Manifest) throws(AtriumError) {
        let owner = manifest.identity.identifier
        try add(manifest.extensions, of: owner)
        let points = LayerRecordTable<ExtensionLimits>(connection: self, layer: ExtensionLayers.points)
        for point in manifest.extensionPoints { try points.set(point.identifier, of: owner, point.limits) }
    }
}
