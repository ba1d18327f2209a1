import Authoring
import BundleFormat
import BundleTool
import CatalogFormat
import CatalogPublisher
import Console
import Foundation
import HostSystem
import PluginCore
import PluginRuntime
import Signing
import TUF
import TUFMetadata
import TUFRepository
import Testing

func identity(_ version: String, of identifier: BundleIdentifier = "com.example.app.shop") throws -> BundleIdentity {
    BundleIdentity(identifier: identifier, version: try #require(SemanticVersion(version)))
}

/// A catalog with its keys in a temporary folder, removed when the last reference is released.
final class CatalogFixture: Sendable {
    private let temporary: TestFolder
    private let signer: SigningKey

    /// The files of a catalog without packages, and its keys. They are not encrypted, because deriving a key from a password is slow by design.
    private static let template = Result {
        let fixture = try CatalogFixture(isNew: true)
        try fixture.run("publish", "--bins", "16")
        for name in try FileManager.default.contentsOfDirectory(atPath: fixture.keys.string) {
            try fixture.removePassword(from: fixture.keys.appending(name))
        }
        return try fixture.files(in: fixture.root)
    }

    private func removePassword(from key: FilePath) throws {
        let words = ["pkcs8", "-in", key.string, "-passin", "file:" + path("password"), "-out", path("plain.pem")]
        let result = try runProgram(at: "/usr/bin/openssl", words)
        try #require(result.status == 0, "\(result.output)")
        try FileManager.default.removeItem(atPath: key.string)
        try FileManager.default.moveItem(atPath: path("plain.pem"), toPath: key.string)
    }

    /// Creates a folder with a catalog without packages.
    ///
    /// - Parameter isNew: A Boolean value that indicates whether there is no catalog yet.
    init(isNew: Bool = false) throws {
        temporary = try TestFolder()
        signer = try .generate()
        try write(Array("secret\n".utf8), to: "password")
        guard !isNew else { return }
        for (name, data) in try Self.template.get() { try write(Array(data), to: name) }
    }

    var root: FilePath { FilePath(temporary.path) }
    var site: FilePath { root.appending("site") }
    var keys: FilePath { root.appending("keys") }

    func path(_ name: String) -> String { root.appending(name).string }

    /// Publishes a change that no command would make, with all keys of the catalog.
    func publish(changing change: (inout RepositoryEditor) throws -> Void) throws {
        var editor = try RepositoryEditor(folder: site.string)
        try change(&editor)
        try editor.publish(signedBy: secretKeys())
    }

    /// The keys in a folder, as a command asks for them.
    func catalogKeys(in folder: String = "keys") throws -> CatalogKeys {
        try CatalogKeys(folder: root.appending(folder)) { _, _ in "secret" }
    }

    func secretKeys(in folder: String = "keys") throws -> [SecretKey] {
        var keys = try catalogKeys(in: folder)
        let ids = keys.ids
        return try keys.keys(ids)
    }

    func makeFolder(_ folder: FilePath) throws {
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
    }

    func write(_ bytes: [UInt8], to name: String) throws { try temporary.write(bytes, to: name) }

    /// All files of the catalog with their contents.
    func files() throws -> [String: Data] { try files(in: site) }

    private func files(in folder: FilePath) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in (try? FileManager.default.subpathsOfDirectory(atPath: folder.string)) ?? [] {
            if let data = try? Data(contentsOf: URL(filePath: folder.appending(name).string)) { files[name] = data }
        }
        return files
    }

    /// Writes a signed package, and returns its path.
    @discardableResult
    func package(
        _ identifier: BundleIdentifier = "com.example.app.shop", _ version: String = "1.0.0", routes: [String] = [],
        targets: [String] = [], content: String = "", team: String = "com.example", in folder: String = "packages",
        platforms: [String] = [Platform.triple], library: [UInt8] = Array("library".utf8),
        fields: String = "", libraries: [String: [UInt8]] = [:], signedBy key: SigningKey? = nil
    ) throws -> String {
        let routes = routes.map { #"{"pattern": "\#($0)", "page": "home"}"# }.joined(separator: ", ")
        let targets = targets.map { #"{"name": "\#($0)", "actions": ["act"]}"# }.joined(separator: ", ")
        let manifest = """
            {"formatVersion": 1, "identifier": "\(identifier)", "version": "\(version)", "name": "Sample", "kind": "app",
            "entry": "libSample.so", "coreABI": 3, "routes": [\(routes)], "targets": [\(targets)]\(fields)}
            """
        var writer = PackageWriter()
        try writer.add(Array(manifest.utf8), as: "manifest.json")
        for platform in platforms {
            try writer.add(library, as: "lib/\(platform)/libSample.so", executable: true)
        }
        for (path, library) in libraries { try writer.add(library, as: path, executable: true) }
        try writer.add(Array(content.utf8), as: "Resources/content.txt")
        try writer.add([0x89], as: "Resources/icon.png")
        try writer.add(Array(#"{"bundle.name": "Muster"}"#.utf8), as: "Resources/de.lproj/Localizable.json")
        let identity = try identity(version, of: identifier)
        let path = root.appending(folder).appending(PackageFile.name(of: identity))
        try makeFolder(path.parent)
        try writer.write(
            to: path, of: identity, sealedBy: Sealer(key: key ?? signer, team: team, signedAt: 1_795_262_400))
        return path.string
    }

    /// Runs a command with the options for the catalog, its keys and their password.
    @discardableResult
    func run(_ words: String..., keys: String = "keys") throws -> Reply { try run(words, keys: keys) }

    @discardableResult
    func run(_ words: [String], keys: String = "keys") throws -> Reply {
        try bundletool(words + ["--to", site.string] + signing(keys))
    }

    /// Withdraws a version by the command revoke or unpublish.
    func withdraw(_ version: String, by command: String) throws {
        try run([command, version] + (command == "revoke" ? ["--reason", "No."] : []))
    }

    /// The options for the keys in a folder.
    func signing(_ folder: String = "keys") -> [String] {
        ["--keys", path(folder), "--password-file", path("password")]
    }

    /// Creates a catalog with a package.
    func published() throws { try run("publish", package()) }

    /// Creates the key pair of a team in a folder of its own, and returns the path of the public key.
    func team(_ name: String) throws -> String {
        try makeFolder(root.appending(name))
        try bundletool("keygen", "--output", path("\(name)/\(name)"), "--password-file", path("password"))
        return path("\(name)/\(name).pub")
    }

    /// Delegates a prefix to a new team, whose signature is needed.
    @discardableResult
    func delegate(_ prefix: String, to name: String) throws -> Reply {
        let (key, draft) = (try team(name), path("\(name).json"))
        try run("delegate", prefix, "--key", key, "--export", draft)
        // Nothing has changed until the team has signed.
        #expect(throws: CommandError.self) { try run("delegate", prefix, "--key", key, "--import", draft) }
        #expect(try report().roles.allSatisfy { $0.name != prefix })
        try bundletool(["sign-metadata", draft] + signing(name))
        return try run("delegate", prefix, "--key", key, "--import", draft)
    }

    /// Moves the keys of roles to another folder, as an owner does who keeps them offline.
    func moveKeys(of roles: Set<String>, to folder: String) throws {
        let report = try report()
        try makeFolder(root.appending(folder))
        for role in report.roles where roles.contains(role.name) {
            for id in role.keys where FileManager.default.fileExists(atPath: keys.appending("\(id).pem").string) {
                try FileManager.default.moveItem(
                    atPath: keys.appending("\(id).pem").string, toPath: path("\(folder)/\(id).pem"))
            }
        }
    }

    func report() throws -> CatalogReport { try CatalogReport(of: site) }
}

extension CatalogReport {

    /// The versions from which there are deltas to a version.
    func deltas(to version: String) -> [String] {
        packages.first { "\($0.identity.version)" == version }?.entry?.deltas.map { "\($0.base)" } ?? []
    }

    func role(_ name: String) throws -> Role { try #require(roles.first { $0.name == name }) }

    /// The role that describes the packages of a bundle.
    func role(of identifier: BundleIdentifier) -> String? {
        packages.first { $0.identity.identifier == identifier }?.role
    }
}

/// A host's view of a catalog, which pins the first root.
struct CatalogReader {
    private let client: TUFClient
    private let folder: FilePath

    init(of fixture: CatalogFixture) throws {
        folder = fixture.root.appending("client-\(UUID().uuidString)")
        client = TUFClient(
            folder: folder.string, metadata: FolderSource(fixture.site.appending("metadata").string),
            targets: FolderSource(fixture.site.appending("targets").string))
        try client.initialize(
            root: Array(Data(contentsOf: URL(filePath: fixture.site.appending("metadata/1.root.json").string))))
    }

    /// Refreshes, and returns the description of a target.
    func find(_ path: String) async throws -> TargetFile? {
        try await client.find(path, in: try await client.refresh())?.file
    }

    /// Refreshes, and downloads a target.
    func download(_ path: String) async throws -> FilePath? {
        let trusted = try await client.refresh()
        guard let found = try await client.find(path, in: trusted) else { return nil }
        // As a host would name it: a package is named by its identity.
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        let file = FilePath(folder.string + "-files").appending(name)
        try FileManager.default.createDirectory(atPath: file.parent.string, withIntermediateDirectories: true)
        try await client.download(found, in: trusted, to: file.string)
        return file
    }

    /// Refreshes, and returns the entry of a package.
    func entry(_ identity: BundleIdentity) async throws -> CatalogEntry {
        let path = CatalogPath.package(identity)
        return try CatalogEntry(custom: try #require(await find(path)?.custom), path: path)
    }

    func versions(_ identifier: BundleIdentifier) async throws -> CatalogVersions? {
        guard let custom = try await find(CatalogPath.versions(of: identifier))?.custom else { return nil }
        return try CatalogVersions(custom: custom, identifier: identifier)
    }

    func providers(_ need: CatalogNeed) async throws -> [String] {
        guard let custom = try await find(CatalogPath.providers(of: need))?.custom else { return [] }
        return try CatalogProviders(custom: custom).bundles.map(\.text)
    }
}
