import HostSystem
public import PluginCore
public import PluginExtension
public import Registry

extension RegistryTables {
    /// The extensions of active versions.
    public var extensions: ExtensionTable { ExtensionTable(connection: connection) }
    /// The user's choices about extensions.
    public var extensionChoices: ExtensionChoiceTable { ExtensionChoiceTable(connection: connection) }
}

/// The layers of records about extensions.
///
/// A rule accepts only input for which it has a key, so the index has a record for each of its keys, and one without a key for an extension
/// without a rule. A look-up for an input reads the records of the input's keys, however many extensions are installed.
package enum ExtensionLayers {
    package static let declarations = "extension"
    package static let index = "extension-index"
    package static let points = "extension-point"
    package static let choices = "extension-choice"
}

/// An extension of an active version, with the user's choice about it.
public struct InstalledExtension: Hashable, Sendable {
    /// The declaration in the bundle's manifest.
    public let declaration: ExtensionDeclaration
    /// The bundle that contains the extension.
    public let bundle: BundleIdentifier
    /// The user's choice.
    public let choice: ExtensionChoice
}

/// The user's choice about an extension, and whether a widget has something to show.
public struct ExtensionChoice: Hashable, Codable, Sendable {
    /// A Boolean value that indicates whether hosts offer the extension.
    public var isEnabled = true
    /// The position in the list of its point, or `nil` for an extension that the user has not moved.
    public var position: Int?
    /// A Boolean value that indicates whether the widget has something to show. The extension and its bundle set it.
    public var hasContent = true
}

/// The records of the extensions of active versions, and the index of the keys of their activation rules.
public struct ExtensionTable: Sendable {
    let connection: RegistryConnection

    private var records: LayerRecordTable<ExtensionDeclaration> {
        LayerRecordTable(connection: connection, layer: ExtensionLayers.declarations)
    }

    /// The condition of the extensions that the index has under one of the beginnings in a JSON array, such as `share/images/`.
    package static let isIndexed = """
        AND key IN (
            SELECT substr(indexed.key, length(start.value) + 1)
            FROM json_each(?2) AS start CROSS JOIN layer_record AS indexed
                ON indexed.layer = '\(ExtensionLayers.index)' AND indexed.key > start.value AND indexed.key < start.value || char(0x10FFFF))
        """

    /// Returns the extensions of a point that may accept an input, in the user's order.
    ///
    /// Only their rules need to be evaluated. Disabled extensions are included.
    ///
    /// - Parameters:
    ///   - point: The identifier of the extension point.
    ///   - keys: The keys of rules that may accept the input.
    public func candidates(point: String, keys: Set<String>) throws(AtriumError) -> [InstalledExtension] {
        let starts = (keys + [""]).map { "\(point)/\($0)/" }
        return try chosen(records.records(Self.isIndexed, RecordJSON.text(of: starts)))
    }

    /// Returns an extension by its identifier.
    public func `extension`(_ identifier: BundleIdentifier) throws(AtriumError) -> InstalledExtension? {
        try chosen(records.records("AND key = ?2", identifier)).first
    }

    /// Returns an installed extension.
    ///
    /// - Throws: ``AtriumError`` with code `extensionUnknown`, and the identifiers of similar names.
    public func require(_ identifier: BundleIdentifier) throws(AtriumError) -> InstalledExtension {
        if let found = try self.extension(identifier) { return found }
        let known = try all().map(\.declaration.identifier)
        throw AtriumError(
            .extensionUnknown, identifier, nearest: Nearest.identifiers(to: identifier.text, in: known))
    }

    /// Returns all extensions, by point and in the user's order.
    public func all() throws(AtriumError) -> [InstalledExtension] { try chosen(records.records()) }

    /// Returns the extensions of a point, in the user's order.
    public func all(point: String) throws(AtriumError) -> [InstalledExtension] {
        try chosen(records.records("AND json ->> 'point' = ?2", point))
    }

    /// Returns the extensions of a bundle, by point and in the user's order.
    public func all(of bundle: BundleIdentifier) throws(AtriumError) -> [InstalledExtension] {
        try chosen(records.records("AND owner = ?2", bundle))
    }

    /// Adds the user's choices, and sorts by point and in the user's order, in which extensions without a chosen position come last.
    private func chosen(_ records: [LayerRecord<ExtensionDeclaration>]) throws(AtriumError) -> [InstalledExtension] {
        if records.isEmpty { return [] }
        let choices = try connection.extensionChoices.all(of: records.map(\.key))
        return records.map {
            InstalledExtension(
                declaration: $0.content, bundle: $0.owner, choice: choices[$0.key] ?? ExtensionChoice())
        }
        .sorted { one, other in
            (one.declaration.point, one.choice.position ?? .max, one.declaration.identifier)
                < (other.declaration.point, other.choice.position ?? .max, other.declaration.identifier)
        }
    }
}

extension RegistryTables {
    /// The extension points of active versions, each with its bundle, sorted. The standard points are not among them.
    public var extensionPoints: [(point: ExtensionPointDeclaration, bundle: BundleIdentifier)] {
        get throws(AtriumError) {
            let records = LayerRecordTable<[String: Double]>(connection: connection, layer: ExtensionLayers.points)
            return try records.records().map {
                (.init(identifier: $0.key, limits: ExtensionLimits($0.content)), $0.owner)
            }
        }
    }
}

/// The records of the user's choices about extensions.
///
/// A choice outlives the version with its extension: it holds after an update, and again when the bundle is reinstalled. It is deleted with
/// the bundle's data.
public struct ExtensionChoiceTable: Sendable {
    let connection: RegistryConnection

    private var records: LayerRecordTable<ExtensionChoice> {
        LayerRecordTable(connection: connection, layer: ExtensionLayers.choices)
    }

    /// Returns the identifiers of all extensions with a choice, sorted.
    public func all() throws(AtriumError) -> [String] { try records.records().map(\.key) }

    /// Returns the choices about some extensions, by identifier.
    func all(of identifiers: [String]) throws(AtriumError) -> [String: ExtensionChoice] {
        let found = try records.records(
            "AND key IN (SELECT value FROM json_each(?2))", RecordJSON.text(of: identifiers))
        return Dictionary(found.map { ($0.key, $0.content) }) { $1 }
    }

    /// Stores a choice in place of the earlier one.
    private func set(_ choice: ExtensionChoice, of found: InstalledExtension) throws(AtriumError) {
        let key = found.declaration.identifier.text
        if choice == ExtensionChoice() { return try records.remove(key) }
        try records.set(key, of: found.bundle, choice)
    }

    /// Enables or disables an installed extension.
    ///
    /// - Throws: ``AtriumError`` with code `extensionUnknown`.
    public func setEnabled(_ isEnabled: Bool, of identifier: BundleIdentifier) throws(AtriumError) {
        try change(identifier) { $0.isEnabled = isEnabled }
    }

    /// Hides the widget of an installed extension, or shows it again.
    ///
    /// - Throws: ``AtriumError`` with code `extensionUnknown`.
    public func setHasContent(_ hasContent: Bool, of identifier: BundleIdentifier) throws(AtriumError) {
        try change(identifier) { $0.hasContent = hasContent }
    }

    /// Hides a widget on behalf of the bundle that contains it, or shows it again.
    ///
    /// - Throws: ``AtriumError`` with code `extensionUndeclared` for an extension that the bundle does not contain.
    public func setHasContent(
        _ hasContent: Bool, of identifier: String, by bundle: BundleIdentifier
    ) throws(AtriumError) {
        let own = try connection.extensions.all(of: bundle)
        guard let found = own.first(where: { $0.declaration.identifier.text == identifier }) else {
            throw AtriumError(
                .extensionUndeclared, identifier, nearest: own.map(\.declaration.identifier.text).sorted())
        }
        // A widget may call this with each request, and a transaction would make all hosts read the registry again.
        guard found.choice.hasContent != hasContent else { return }
        try setHasContent(hasContent, of: found.declaration.identifier)
    }

    /// Moves an installed extension to a position in the list of its point. All extensions of the point then have a position.
    ///
    /// - Parameter position: The new position, beginning with 0; one beyond the end is the end.
    /// - Throws: ``AtriumError`` with code `extensionUnknown`.
    public func move(_ identifier: BundleIdentifier, to position: Int) throws(AtriumError) {
        try connection.write { tables in
            let moved = try tables.extensions.require(identifier)
            var list = try tables.extensions.all(point: moved.declaration.point)
            list.removeAll { $0.declaration.identifier == identifier }
            list.insert(moved, at: min(max(0, position), list.count))
            for (position, found) in list.enumerated() where found.choice.position != position {
                var choice = found.choice
                choice.position = position
                try tables.extensionChoices.set(choice, of: found)
            }
        }
    }

    /// Changes a choice in one transaction.
    private func change(
        _ identifier: BundleIdentifier, _ body: (inout ExtensionChoice) -> Void
    ) throws(AtriumError) {
        try connection.write { tables in
            let found = try tables.extensions.require(identifier)
            var choice = found.choice
            body(&choice)
            if choice != found.choice { try tables.extensionChoices.set(choice, of: found) }
        }
    }
}
