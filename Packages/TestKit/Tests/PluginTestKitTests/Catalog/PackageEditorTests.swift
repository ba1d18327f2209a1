import BundleFormat
import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing
import Zip
import ZipWriting

@Suite("Changed packages", .tags(.medium))
struct PackageEditorTests {
    private static let manifest = """
        {
          "formatVersion": 1, "identifier": "com.example.app.shop", "version" : "1.1.0" , "name": "Sh\\"op, {1}",
          "kind": "app", "entry": "libShop.so", "coreABI": 3,
          "routes": [ {"pattern": "shop/:id", "page": "home", "version": 1} ]
        }
        """
    private let catalog: ThrowawayCatalog
    private let package: FilePath

    init() throws {
        catalog = try ThrowawayCatalog()
        var writer = ZipWriter()
        try writer.add(Array(Self.manifest.utf8), as: "manifest.json")
        try writer.add(Array("library".utf8), as: "lib/x/libShop.so", executable: true)
        try writer.add(Array("hello hello hello hello hello hello".utf8), as: "Resources/a.txt")
        package = catalog.folder.appending("com.example.app.shop-1.1.0.zip")
        try writer.write(to: package.string)
    }

    private func manifest(of package: FilePath) throws -> String {
        let bytes = try ZipArchive(path: package.string).contents(of: "manifest.json", limit: 1 << 20)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("An unchanged package is identical to the original")
    func unchanged() throws {
        let before = try Data(contentsOf: URL(filePath: package.string))
        let copy = try catalog.pack(from: package) { $0.name = "copy.zip" }
        #expect(try Data(contentsOf: URL(filePath: copy.string)) == before)
        #expect(try catalog.names() == ["com.example.app.shop-1.1.0.zip", "copy.zip"])
    }

    @Test("Files can be changed, and keep their permissions")
    func files() throws {
        let changed = try catalog.pack(from: package) { package in
            try package.remove("Resources/a.txt")
            package.set("Resources/b.txt", to: "b")
            package.set("lib/x/libShop.so", to: "other")
            try package.edit("lib/x/libShop.so") { $0.append(UInt8(ascii: "!")) }
            try package.rename("manifest.json", to: "Manifest.json")
        }
        let archive = try ZipArchive(path: changed.string)
        #expect(archive.entries.map(\.name) == ["Manifest.json", "Resources/b.txt", "lib/x/libShop.so"])
        #expect(try archive.contents(of: "lib/x/libShop.so", limit: 99) == Array("other!".utf8))
        #expect(archive.entry(named: "lib/x/libShop.so")?.isExecutable == true)
    }

    @Test(
        "Changing a field of the manifest does not change any other byte",
        arguments: [
            ("version", "\"2.0.0\"", "\"version\" : \"1.1.0\"", "\"version\" : \"2.0.0\""),
            ("name", "[1, {}]", #""name": "Sh\"op, {1}""#, "\"name\": [1, {}]"),
            ("routes", "[]", "[ {\"pattern\": \"shop/:id\", \"page\": \"home\", \"version\": 1} ]", "[]"),
            ("summary", "\"new\"", "{\n  \"formatV", "{\"summary\": \"new\", \n  \"formatV"),
        ])
    func field(name: String, json: String, before: String, after: String) throws {
        let changed = try catalog.pack(from: package) { try $0.setManifest(name, to: json) }
        let expected = Self.manifest.split(separator: before, omittingEmptySubsequences: false)
        #expect(expected.count == 2)
        #expect(try manifest(of: changed) == expected.joined(separator: after))
    }

    @Test("Changing version or identifier changes manifest and file name, so a catalog offers the package")
    func renamed() throws {
        try catalog.pack(from: package) { try $0.rename(version: "1.2.0-beta.1") }
        try catalog.pack(from: package) { try $0.rename(identifier: "com.other.my-shop") }
        for name in try catalog.names() {
            let text = try manifest(of: catalog.folder.appending(name))
            let identity = try #require(PackageFile.identity(named: name))
            #expect(text.contains("\"\(identity.identifier)\"") && text.contains("\"\(identity.version)\""), "\(name)")
        }
        let renamed = ["com.example.app.shop-1.2.0-beta.1.zip", "com.other.my-shop-1.1.0.zip"]
        #expect(try catalog.names() == ["com.example.app.shop-1.1.0.zip"] + renamed)
        let version = try #require(SemanticVersion("1.2.0-beta.1"))
        #expect(FileManager.default.fileExists(atPath: catalog.package("com.example.app.shop", version).string))
    }

    @Test("The bytes of an archive can be changed before it is written")
    func damage() throws {
        let damaged = try catalog.pack(from: package) { $0.editArchive { $0.removeLast(10) } }
        let error = #expect(throws: ZipError.self) { try ZipArchive(path: damaged.string) }
        #expect(error?.code == .notAnArchive)
    }

    @Test("A change that is not possible throws an error")
    func mistakes() throws {
        let mistakes: [@Sendable (inout PackageEditor) throws -> Void] = [
            { try $0.remove("none") }, { try $0.edit("none") { _ in } }, { try $0.rename("none", to: "x") },
            { try $0.setManifest("coreABI", to: "3") }, { try $0.editManifest { _ in } },
            {
                $0.name = "shop.zip"
                try $0.rename(version: "9.9.9")
            },
            {
                $0.set("manifest.json", to: "{\"open")
                try $0.setManifest("a", to: "1")
            },
        ]
        for (index, mistake) in mistakes.enumerated() {
            #expect(throws: FixtureError.self, "\(index)") { try catalog.pack(from: package, changing: mistake) }
        }
        #expect(try catalog.names() == ["com.example.app.shop-1.1.0.zip"])
    }

    @Test("A temporary catalog has copies of other packages and is removed with its last reference")
    func catalogs() throws {
        var copy: ThrowawayCatalog? = try ThrowawayCatalog(copying: catalog.folder)
        let folder = try #require(copy?.folder)
        #expect(try copy?.names() == ["com.example.app.shop-1.1.0.zip"])
        try copy?.add(package, named: "other.zip")
        try copy?.write(Array("no zip".utf8), named: "broken.zip")
        try copy?.remove("com.example.app.shop-1.1.0.zip")
        #expect(try copy?.names() == ["broken.zip", "other.zip"])
        copy = nil
        #expect(!FileManager.default.fileExists(atPath: folder.string))
    }
}
