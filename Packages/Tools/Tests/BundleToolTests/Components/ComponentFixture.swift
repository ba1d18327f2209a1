import Authoring
import BundleFormat
import BundleTool
import CatalogFormat
import CatalogPublisher
import Foundation
import HostSystem
import PluginCore
import Signing
import TUFMetadata
import TUFRepository
import Testing
import Trust
import ZipWriting

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

    /// A trust store with the key of the team.
    static func trust(_ key: VerifyingKey, owning prefix: String = "com.example") throws -> TrustStore {
        try .empty.adding(team: "com.example", name: nil, prefixes: [prefix], key: key)
    }

    /// The description of an archive in the catalog's metadata, as that of another module if one is named.
    static func described(_ archive: FilePath, as module: String? = nil) throws -> JSONObject {
        let content = try InterfaceArchive(opening: archive)
        return CatalogInterface(
            identity: content.identity, module: module ?? content.module, sealDigest: content.sealDigest,
            team: "com.example"
        ).custom
    }
    /// Writes a package and its Interface.
    @discardableResult
    func pack(_ version: String, source: String = "import PluginCore\n") throws -> FilePath {
        try catalog.package(Self.orders, version, signedBy: key)
        return try InterfaceArchive.write(
            ["OrdersActions.swift": Array("\(source)// \(version)\n".utf8)], module: Self.module,
            of: identity(version, of: Self.orders), sealedBy: sealer(), into: catalog.root.appending("packages")
        ).path
    }

    /// Creates the author's package, and a trust file.
    func makeAuthor() throws {
        try bundletool("new", "Caller", "--identifier", "org.other.caller", "--directory", author.string)
        try catalog.write(Self.trust(key.publicKey).encoded(), to: "trust.json")
    }

    /// The options that name the catalog and whom the author trusts.
    var options: [String] {
        let root = catalog.site.appending("metadata/1.root.json").string
        return ["--catalog", catalog.site.string, "--root", root, "--trust", catalog.path("trust.json")]
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
    func publish(_ path: String, _ file: FilePath, custom: JSONObject) throws {
        try catalog.publish { try $0.addTarget(path, file: file.string, custom: custom) }
    }

    /// Writes an archive of any files, with a valid seal and signature.
    func archive(
        _ files: [String: String], named name: String = "x_interface.zip", executable: String? = nil,
        unsealed: [String: String] = [:], description: String? = nil
    ) throws -> FilePath {
        let identity = try identity("1.0.0", of: Self.orders)
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
