public import PluginCore
internal import SQLite

/// The user's choice about an extension, and whether a widget has something to show.
public struct ExtensionChoice: Hashable, Sendable {
    /// The extension.
    public let identifier: BundleIdentifier
    /// The bundle that contains the extension.
    public let bundle: BundleIdentifier
    /// A Boolean value that indicates whether hosts offer the extension.
    public var isEnabled = true
    /// The position in the list of its point, or `nil` for an extension that the user has not moved.
    public var position: Int?
    /// A Boolean value that indicates whether the widget has something to show. The extension and its bundle set it.
    public var hasContent = true

    /// Creates a choice, by default that of a user who has chosen nothing.
    public init(
        identifier: BundleIdentifier, bundle: BundleIdentifier, isEnabled: Bool = true, position: Int? = nil,
        hasContent: Bool = true
    ) {
        self.identifier = identifier
        self.bundle = bundle
        self.isEnabled = isEnabled
        self.position = position
        self.hasContent = hasContent
    }

    /// A Boolean value that indicates whether everything is as if the user had chosen nothing.
    fileprivate var isDefault: Bool { self == ExtensionChoice(identifier: identifier, bundle: bundle) }
}

extension ExtensionChoice {
    init(_ row: borrowing Row) throws {
        identifier = try row["identifier"]
        bundle = try row["owner"]
        isEnabled = try row["is_enabled"]
        position = try row["position"]
        hasContent = try row["has_content"]
    }
}

/// The table of the user's choices about extensions.
///
/// A choice outlives the version with its extension: it holds after an update, and again when the bundle is reinstalled. It is deleted with
/// the bundle's data.
public struct ExtensionChoiceTable: Sendable {
    let connection: RegistryConnection

    /// Returns all choices, sorted by identifier.
    public func all() throws(AtriumError) -> [ExtensionChoice] {
        try connection.query("SELECT * FROM extension_choice ORDER BY identifier", row: ExtensionChoice.init)
    }

    /// Stores a choice in place of the earlier one.
    public func set(_ choice: ExtensionChoice) throws(AtriumError) {
        if choice.isDefault {
            return try connection.execute("DELETE FROM extension_choice WHERE identifier = ?", choice.identifier)
        }
        try connection.execute(
            """
            INSERT OR REPLACE INTO extension_choice (identifier, owner, is_enabled, position, has_content)
            VALUES (?, ?, ?, ?, ?)
            """, choice.identifier, choice.bundle, choice.isEnabled, choice.position, choice.hasContent)
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
            var list = try tables.extensions.all(point: moved.declaration.point).map(\.choice)
            list.removeAll { $0.identifier == identifier }
            list.insert(moved.choice, at: min(max(0, position), list.count))
            for (position, choice) in list.enumerated() where choice.position != position {
                var choice = choice
                choice.position = position
                try tables.extensionChoices.set(choice)
            }
        }
    }

    /// Changes a choice in one transaction.
    private func change(
        _ identifier: BundleIdentifier, _ body: (inout ExtensionChoice) -> Void
    ) throws(AtriumError) {
        try connection.write { tables in
            var choice = try tables.extensions.require(identifier).choice
            let before = choice
            body(&choice)
            if choice != before { try tables.extensionChoices.set(choice) }
        }
    }

    /// Removes the choices about the extensions of a bundle.
    func removeAll(of bundle: BundleIdentifier) throws(AtriumError) {
        try connection.execute("DELETE FROM extension_choice WHERE owner = ?", bundle)
    }
}

extension ExtensionTable {
    /// Returns an installed extension.
    ///
    /// - Throws: ``AtriumError`` with code `extensionUnknown`, and the identifiers of similar names.
    public func require(_ identifier: BundleIdentifier) throws(AtriumError) -> InstalledExtension {
        if let found = try self.extension(identifier) { return found }
        let known = try all().map(\.declaration.identifier)
        throw AtriumError(
            .extensionUnknown, identifier, nearest: Nearest.identifiers(to: identifier.text, in: known))
    }
}
