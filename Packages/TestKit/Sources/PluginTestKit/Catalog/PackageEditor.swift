import Authoring
import BundleFormat
import FoundationEssentials
public import PluginCore
import PluginRuntime
import Signing
import Zip
import ZipWriting

/// An editor for a package that a test changes and writes again.
///
/// The result may be invalid on purpose. Errors of the editor itself indicate mistakes in the test.
public struct PackageEditor: Sendable {
    /// The file name of the changed package, by default that of the original.
    public var name: String
    var files: [File]
    /// A Boolean value that indicates whether the seal stays unchanged when files change.
    var keepsSeal = false
    /// The changes of the finished archive, in order.
    private var edits: [@Sendable (inout [UInt8]) throws -> Void] = []

    struct File {
        var name: String
        var bytes: [UInt8]
        let isExecutable: Bool
    }

    /// Opens a valid package.
    ///
    /// - Throws: The reason why it is invalid.
    public init(_ package: FilePath) throws {
        let archive = try ZipArchive(path: package.string)
        name = package.lastComponent
        files = try archive.entries.filter { !$0.isDirectory }.map { entry in
            File(
                name: entry.name, bytes: try archive.contents(of: entry.name, limit: .max),
                isExecutable: entry.isExecutable)
        }
    }

    /// The names of the files in the order of the archive. Empty folders are not included.
    public var fileNames: [String] { files.map(\.name) }

    /// Returns the content of a file.
    ///
    /// - Throws: ``FixtureError`` if it doesn't exist.
    public func bytes(of file: String) throws -> [UInt8] {
        files[try index(of: file)].bytes
    }

    /// Adds or replaces a file.
    public mutating func set(_ file: String, to bytes: [UInt8]) {
        if let index = files.firstIndex(where: { $0.name == file }) {
            files[index].bytes = bytes
        } else {
            files.append(File(name: file, bytes: bytes, isExecutable: false))
        }
    }

    /// Adds or replaces a text file.
    public mutating func set(_ file: String, to text: String) {
        set(file, to: Array(text.utf8))
    }

    /// Changes the content of a file.
    ///
    /// - Throws: ``FixtureError`` if it doesn't exist, and the errors of `change`.
    public mutating func edit(_ file: String, _ change: (inout [UInt8]) throws -> Void) throws {
        try change(&files[try index(of: file)].bytes)
    }

    /// Removes a file.
    ///
    /// - Throws: ``FixtureError`` if it doesn't exist.
    public mutating func remove(_ file: String) throws {
        files.remove(at: try index(of: file))
    }

    /// Renames a file.
    ///
    /// - Throws: ``FixtureError`` if it doesn't exist.
    public mutating func rename(_ file: String, to name: String) throws {
        files[try index(of: file)].name = name
    }

    /// Returns the finished archive.
    ///
    /// - Throws: ``FixtureError`` if a change of the archive is not possible, and the errors of writing it.
    public func bytes() throws -> [UInt8] {
        var writer = ZipWriter()
        for file in files { try writer.add(file.bytes, as: file.name, executable: file.isExecutable) }
        let folder = try ThrowawayFolder()
        try writer.write(to: folder.appending("package.zip").string)
        var bytes = try folder.bytes(of: "package.zip")
        for edit in edits { try edit(&bytes) }
        return bytes
    }

    /// Changes the bytes of the finished archive, after all changes of its content.
    public mutating func editArchive(_ change: @escaping @Sendable (inout [UInt8]) throws -> Void) {
        edits.append(change)
    }

    private func index(of file: String) throws -> Int {
        if let index = files.firstIndex(where: { $0.name == file }) { return index }
        throw FixtureError("\(name) has no \(file); it has \(fileNames.joined(separator: ", "))")
    }

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

    /// Sets or adds a field of the manifest.
    ///
    /// - Parameters:
    ///   - field: The name of a field at the top level.
    ///   - json: The value as JSON, with quotation marks if it is a string.
    /// - Throws: ``FixtureError`` if the manifest is not a JSON object or already has that value.
    public mutating func setManifest(_ field: String, to json: String) throws {
        try editManifest { try $0.setField(field, to: json) }
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

    /// A Boolean value that indicates whether the package contains a seal.
    public var isSealed: Bool { fileNames.contains(Seal.name) }

    /// Stops updating seal and signature, so later changes of files make the seal invalid.
    ///
    /// ```swift
    /// package.keepSeal()
    /// try package.edit("Resources/Pages/help.json") { $0.append(UInt8(ascii: " ")) }
    /// ```
    public mutating func keepSeal() {
        keepsSeal = true
    }

    /// Seals and signs the current files. Later changes do not update the seal.
    ///
    /// - Parameters:
    ///   - identity: The signer.
    ///   - time: The signing time in seconds since 1970.
    /// - Throws: The reason why the files cannot be sealed.
    public mutating func sign(by identity: SigningIdentity, at time: Int64 = SigningIdentity.time) throws {
        let sealed = try files.filter { !$0.name.hasPrefix(Seal.folder + "/") }.map { file in
            Seal.File(
                path: file.name, size: UInt64(file.bytes.count),
                sha256: try ContentDigest.of(file.bytes), isExecutable: file.isExecutable)
        }
        let bundle =
            PackageFile.identity(named: name)
            ?? BundleIdentity(
                identifier: "com.example.unnamed", version: SemanticVersion(major: 0, minor: 0, patch: 0))
        let signed = try identity.sealer(at: time).sign(sealed, of: bundle)
        set(Seal.name, to: signed.seal)
        set(Seal.signatureName, to: signed.signature)
        keepsSeal = true
    }

    /// Removes seal and signature.
    public mutating func removeSeal() {
        files.removeAll { $0.name.hasPrefix(Seal.folder + "/") }
        keepsSeal = true
    }

    /// Updates the seal after changes, with its original signing time, unless updating was stopped.
    mutating func restoreSeal(by identity: SigningIdentity) throws {
        guard isSealed, !keepsSeal else { return }
        let seal = try Seal(reading: try bytes(of: Seal.name), of: name)
        try sign(by: identity, at: seal.signedAt)
    }
}

extension String {
    /// Changes one field of a JSON object without changing any other byte, so an invalid manifest keeps its other errors.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - json: The new value, or `nil` to remove the field.
    mutating func setField(_ name: String, to json: String?) throws {
        guard let root = JSONPlace(self), root.text == "{" else {
            throw FixtureError("no JSON object with fields to change:\n\(self)")
        }
        let start = index(after: root.range.lowerBound)
        self =
            switch (root.children.firstIndex { $0.name == name }, json) {
            case (let index?, let json?): replacing(root.children[index].value.range, with: json)
            case (let index?, nil): replacing(root.removal(of: index), with: "")
            case (nil, let json?):
                replacing(start..<start, with: "\"\(name)\": \(json)\(root.children.isEmpty ? "" : ", ")")
            case (nil, nil): throw FixtureError("there is no field \"\(name)\" in\n\(self)")
            }
    }
}
