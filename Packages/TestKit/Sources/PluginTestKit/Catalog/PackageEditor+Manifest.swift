import BundleFormat
internal import PluginCore
internal import PluginRuntime

extension PackageEditor {
    private static let manifestName = "manifest.json"

    /// Changes the text of the manifest.
    ///
    /// - Throws: ``FixtureError`` if there is no manifest or the text did not change, and the errors of `change`.
    public mutating func editManifest(_ change: (inout String) throws -> Void) throws {
        let before = String(decoding: try bytes(of: Self.manifestName), as: UTF8.self)
        var text = before
        try change(&text)
        guard text != before else { throw FixtureError("the change left the manifest as it was:\n\(before)") }
        set(Self.manifestName, to: text)
    }

    /// Replaces a part of the manifest's text wherever it occurs.
    ///
    /// - Throws: ``FixtureError`` if it doesn't occur.
    public mutating func replaceInManifest(_ piece: String, with other: String) throws {
        try editManifest { text in
            text = text.split(separator: piece, omittingEmptySubsequences: false).joined(separator: other)
        }
    }

    /// Sets or adds a field of the manifest.
    ///
    /// - Parameters:
    ///   - field: The name of a field at the top level.
    ///   - json: The value as JSON, with quotation marks if it is a string.
    /// - Throws: ``FixtureError`` if the manifest is not a JSON object or already has that value.
    public mutating func setManifest(_ field: String, to json: String) throws {
        try editManifest { try $0.setField(field, to: json) }
    }

    /// Removes a field of the manifest.
    ///
    /// - Throws: ``FixtureError`` if it doesn't exist.
    public mutating func removeManifest(_ field: String) throws {
        try editManifest { try $0.setField(field, to: nil) }
    }

    /// Changes the version in the manifest and in the file name.
    ///
    /// - Throws: ``FixtureError`` if the file name is not that of a package, or if the package already has that version.
    public mutating func rename(version: String) throws {
        try setManifest("version", to: "\"\(version)\"")
        name = "\(try identity().identifier)-\(version).zip"
    }

    /// Changes the identifier in the manifest and in the file name.
    ///
    /// - Throws: ``FixtureError`` if the file name is not that of a package, or if the package already has that identifier.
    public mutating func rename(identifier: String) throws {
        try setManifest("identifier", to: "\"\(identifier)\"")
        name = "\(identifier)-\(try identity().version).zip"
    }

    private func identity() throws -> BundleIdentity {
        if let identity = PackageFile.identity(named: name) { return identity }
        throw FixtureError("\"\(name)\" is no name of a package, so it cannot be renamed")
    }
}
