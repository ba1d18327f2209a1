public import ExtensionActivation
public import PluginCore
internal import SQLite

/// An extension of an active version, with the user's choice about it.
public struct InstalledExtension: Hashable, Sendable {
    /// The declaration in the bundle's manifest.
    public let declaration: ExtensionDeclaration
    /// The bundle that contains the extension.
    public let bundle: BundleIdentifier
    /// The user's choice.
    public let choice: ExtensionChoice

    /// Returns the activation rule, or `nil` for an extension that accepts any input.
    ///
    /// - Throws: ``AtriumError`` with code `activationInvalid` for a rule that this host doesn't know.
    public func rule() throws(AtriumError) -> ActivationRule? {
        guard let text = declaration.activation else { return nil }
        return try ActivationRule(text)
    }
}

extension InstalledExtension {
    fileprivate init(_ row: borrowing Row) throws {
        declaration = ExtensionDeclaration(
            identifier: try row["identifier"], point: try row["point"], entry: try row["entry"], name: try row["name"],
            activation: try row["activation"],
            limits: LoweredLimits(
                start: try row["start"], request: try row["request"], end: try row["end"], idle: try row["idle"],
                memory: try row["memory"], fileSize: try row["file_size"], openFiles: try row["open_files"]))
        bundle = try row["owner"]
        choice = ExtensionChoice(
            identifier: declaration.identifier, bundle: bundle,
            isEnabled: try row["is_enabled", as: Bool?.self] ?? true, position: try row["chosen_position"],
            hasContent: try row["has_content", as: Bool?.self] ?? true)
    }
}

/// The table of the extensions of active versions, and the index of the types that their rules require.
///
/// A rule accepts only input with one of its required types, so the index has a row for each of them, and one without a type for an
/// extension without a rule. A look-up for an input reads the rows of the input's types, however many extensions are installed.
public struct ExtensionTable: Sendable {
    /// The type in the index for extensions without a rule.
    private static let anyType = ""

    let connection: RegistryConnection

    private static let select = """
        SELECT extension.*, is_enabled, extension_choice.position AS chosen_position, has_content
        FROM extension LEFT JOIN extension_choice USING (identifier)
        """
    /// The user's order; extensions without a chosen position follow.
    private static let order = "ORDER BY chosen_position IS NULL, chosen_position, identifier"

    /// The statement for the candidates of a point with one of the types in a JSON array.
    static let selectCandidates = """
        \(select) WHERE identifier IN (
            SELECT extension FROM extension_type WHERE point = ? AND type IN (SELECT value FROM json_each(?))
        ) \(order)
        """

    /// Returns the extensions of a point that may accept an input, in the user's order.
    ///
    /// Only their rules need to be evaluated. Disabled extensions are included.
    ///
    /// - Parameters:
    ///   - point: The identifier of the extension point.
    ///   - types: The input's types as ``ActivationInput/lookupTypes`` returns them.
    public func candidates(
        point: String, types: Set<ContentType>
    ) throws(AtriumError) -> [InstalledExtension] {
        // A statement has a limited number of arguments, and an identifier of a type needs no escapes in JSON.
        let list = types.map { "\"\($0.identifier)\"" } + ["\"\(Self.anyType)\""]
        return try connection.query(
            Self.selectCandidates, point, "[\(list.joined(separator: ","))]", row: InstalledExtension.init)
    }

    /// Returns an extension by its identifier.
    public func `extension`(_ identifier: BundleIdentifier) throws(AtriumError) -> InstalledExtension? {
        try connection.first(
            "\(Self.select) WHERE identifier = ?", identifier, row: InstalledExtension.init)
    }

    /// Returns all extensions, by point and in the user's order.
    public func all() throws(AtriumError) -> [InstalledExtension] {
        try connection.query(
            "\(Self.select) ORDER BY point, chosen_position IS NULL, chosen_position, identifier",
            row: InstalledExtension.init)
    }

    /// Returns the extensions of a point, in the user's order.
    public func all(point: String) throws(AtriumError) -> [InstalledExtension] {
        try connection.query("\(Self.select) WHERE point = ? \(Self.order)", point, row: InstalledExtension.init)
    }

    /// Returns the extensions of a bundle, in the order of its manifest.
    public func all(of bundle: BundleIdentifier) throws(AtriumError) -> [InstalledExtension] {
        try connection.query(
            "\(Self.select) WHERE extension.owner = ? ORDER BY extension.position", bundle,
            row: InstalledExtension.init)
    }

    /// Checks that no bundle has an extension, or only the given one.
    ///
    /// - Throws: ``AtriumError`` with code `extensionConflict`.
    func requireFree(
        _ declaration: ExtensionDeclaration, for identifier: BundleIdentifier, orOf owner: BundleIdentifier? = nil
    ) throws(AtriumError) {
        let holder: BundleIdentifier? = try connection.value(
            "SELECT owner FROM extension WHERE identifier = ?", declaration.identifier)
        guard let holder, holder != owner else { return }
        throw .taken(.extensionConflict, declaration.identifier.text, of: identifier, by: holder)
    }

    /// Adds the extensions of a bundle.
    ///
    /// - Throws: ``AtriumError`` with code `extensionConflict`, or `activationInvalid`.
    func add(_ declarations: [ExtensionDeclaration], of identifier: BundleIdentifier) throws(AtriumError) {
        for (position, declaration) in declarations.enumerated() {
            try requireFree(declaration, for: identifier)
            try add(declaration, at: position, of: identifier)
        }
    }

    private func add(
        _ declaration: ExtensionDeclaration, at position: Int, of identifier: BundleIdentifier
    ) throws(AtriumError) {
        let limits = declaration.limits
        try connection.execute(
            """
            INSERT INTO extension (identifier, owner, position, point, entry, name, activation, start, request, "end", idle,
                memory, file_size, open_files)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            declaration.identifier, identifier, position, declaration.point, declaration.entry, declaration.name,
            declaration.activation, limits.start, limits.request, limits.end, limits.idle, limits.memory,
            limits.fileSize, limits.openFiles)
        let required = try declaration.activation.map { text throws(AtriumError) in try ActivationRule(text) }?
            .requiredTypes
        for type in required?.map(\.identifier) ?? [Self.anyType] {
            try connection.execute(
                "INSERT INTO extension_type (point, type, extension) VALUES (?, ?, ?)", declaration.point, type,
                declaration.identifier)
        }
    }

    /// Removes all extensions of a bundle.
    func removeAll(of identifier: BundleIdentifier) throws(AtriumError) {
        try connection.execute(
            "DELETE FROM extension_type WHERE extension IN (SELECT identifier FROM extension WHERE owner = ?)",
            identifier)
        try connection.execute("DELETE FROM extension WHERE owner = ?", identifier)
    }
}
