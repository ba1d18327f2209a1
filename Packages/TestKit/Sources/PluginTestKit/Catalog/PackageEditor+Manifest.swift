internal import PluginCore
internal import PluginRuntime

extension PackageEditor {
    private static let manifestName = "manifest.json"

    /// Changes the manifest's text.
    ///
    /// - Throws: ``FixtureError`` when there is no manifest or the text did not change, and what `change` throws.
    public mutating func editManifest(_ change: (inout String) throws -> Void) throws {
        let before = String(decoding: try bytes(of: Self.manifestName), as: UTF8.self)
        var text = before
        try change(&text)
        guard text != before else { throw FixtureError("the change left the manifest as it was:\n\(before)") }
        set(Self.manifestName, to: text)
    }

    /// Replaces a piece of the manifest's text, wherever it occurs.
    ///
    /// - Throws: ``FixtureError`` when it does not occur.
    public mutating func replaceInManifest(_ piece: String, with other: String) throws {
        try editManifest { text in
            text = text.split(separator: piece, omittingEmptySubsequences: false).joined(separator: other)
        }
    }

    /// Gives a field of the manifest another value, or adds the field.
    ///
    /// - Parameters:
    ///   - field: the name of a field at the top level.
    ///   - json: its value as JSON: a text comes in quotation marks.
    /// - Throws: ``FixtureError`` when the manifest is no JSON object or has that value already.
    public mutating func setManifest(_ field: String, to json: String) throws {
        try editManifest { try $0.setField(field, to: json) }
    }

    /// Takes a field out of the manifest.
    ///
    /// - Throws: ``FixtureError`` when it is not there.
    public mutating func removeManifest(_ field: String) throws {
        try editManifest { try $0.setField(field, to: nil) }
    }

    /// Gives the package another version, in the manifest and in its file name.
    ///
    /// - Throws: ``FixtureError`` when the file name is none of a package, or it has that version already.
    public mutating func rename(version: String) throws {
        try setManifest("version", to: "\"\(version)\"")
        name = "\(try identity().identifier)-\(version).zip"
    }

    /// Gives the package another identifier, in the manifest and in its file name.
    ///
    /// - Throws: ``FixtureError`` when the file name is none of a package, or it has that identifier already.
    public mutating func rename(identifier: String) throws {
        try setManifest("identifier", to: "\"\(identifier)\"")
        name = "\(identifier)-\(try identity().version).zip"
    }

    private func identity() throws -> BundleIdentity {
        if let identity = PackageFile.identity(named: name) { return identity }
        throw FixtureError("\"\(name)\" is no name of a package, so it cannot be renamed")
    }
}
