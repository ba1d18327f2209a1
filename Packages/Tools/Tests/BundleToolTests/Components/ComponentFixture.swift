import Authoring
import BundleFormat
import BundleTool
import Console
import Foundation
import PluginComponents
import PluginCore
import Signing
import TUFMetadata
import TUFRepository
import Testing
import Trust
import Zip

/// A catalog with plugins and their Interfaces, and an author's package.
struct ComponentFixture {
    static let orders: BundleIdentifier = "com.example.app.orders"
    static let module = "OrdersInterface"

    let catalog: CatalogFixture
    let key: SigningKey

    init() throws {
        catalog = try CatalogFixture()
        key = try .generate()
    }

    var author: FilePath { catalog.root.appending("author") }

    func sealer(team: String = "com.example") -> Sealer { Sealer(key: key, team: team, signedAt: 1_795_262_400) }

    static func identity(_ version: String, of identifier: BundleIdentifier = orders) throws -> BundleIdentity {
        BundleIdentity(identifier: identifier, version: try #require(SemanticVersion(version)))
    }

    /// Writes a package and its Interface.
    @discardableResult
    func pack(_ version: String, source: String = "import PluginCore\n") throws -> FilePath {
        try catalog.package(Self.orders, version, signedBy: key)
        return try InterfaceArchive.write(
            ["OrdersActions.swift": Array("\(source)// \(version)\n".utf8)], module: Self.module,
            of: Self.identity(version), sealedBy: sealer(), into: catalog.root.appending("packages")
        ).path
    }

    /// Creates the author's package, and a trust file.
    func makeAuthor() throws {
        _ = try Program.reply(
            to: ["new", "Caller", "--identifier", "org.other.caller", "--directory", author.string], on: .plain)
        let trust = try TrustStore.empty.adding(
            team: "com.example", name: nil, prefixes: ["com.example"], key: key.publicKey)
        try catalog.write(trust.encoded(), to: "trust.json")
    }

    /// The options that name the catalog and whom the author trusts.
    var options: [String] {
        [
            "--catalog", catalog.site.string, "--root", catalog.site.appending("metadata/1.root.json").string,
            "--trust",
            catalog.path("trust.json"),
        ]
    }

    /// Adds a component to the author's package.
    func add(_ words: String..., options: [String]? = nil) throws -> (status: Int32, output: String) {
        try runProgram(["add"] + words + ["--directory", author.string] + (options ?? self.options))
    }

    /// The files of the author's package without what was built.
    func authorFiles() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: author.string) where !name.hasPrefix(".build") {
            if let data = try? Data(contentsOf: URL(filePath: author.appending(name).string)) { files[name] = data }
        }
        return files
    }

    func text(_ name: String) throws -> String {
        try String(contentsOfFile: author.appending(name).string, encoding: .utf8)
    }

    /// Publishes a target with the keys of the catalog and none of its checks.
    func publish(_ path: String, _ file: FilePath, custom: JSONObject?) throws {
        var keys = try CatalogKeysForTests(catalog)
        var editor = try RepositoryEditor(folder: catalog.site.string)
        try editor.addTarget(path, file: file.string, custom: custom)
        try editor.publish(signedBy: try keys.all())
    }

    /// Writes an archive of any files, with a valid seal and signature.
    func archive(
        _ files: [String: String], named name: String = "x_interface.zip", executable: String? = nil,
        unsealed: [String: String] = [:], description: String? = nil
    ) throws -> FilePath {
        let identity = try Self.identity("1.0.0")
        var all = files.mapValues { Array($0.utf8) }
        all["component.json"] = Array(
            (description
                ?? #"{"formatVersion":1,"kind":"interface","identifier":"\#(identity.identifier)","version":"1.0.0","module":"OrdersInterface"}"#)
                .utf8)
        let sealed = try all.map { name, bytes in
            Seal.File(
                path: name, size: UInt64(bytes.count), sha256: try HashAlgorithm.sha256.digest(of: bytes),
                isExecutable: name == executable)
        }
        let (seal, signature) = try sealer().sign(sealed, of: identity)
        all[Seal.name] = seal
        all[Seal.signatureName] = signature
        for (name, text) in unsealed { all[name] = Array(text.utf8) }
        var writer = ZipWriter()
        for (name, bytes) in all { try writer.add(bytes, as: name, executable: name == executable) }
        let path = catalog.root.appending(name)
        try writer.write(to: path.string)
        return path
    }
}
