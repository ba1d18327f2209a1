import CatalogFormat
import Glibc
import PageLayouts
import PluginCore
import RemoteCatalog
import Signing
import Testing
import Trust
@testable import BundleFormat
@testable import HostSystem
@testable import PluginRuntime
@testable import Registry

@Suite("Resources and icons of installed bundles", .tags(.medium))
struct SealedResourcesTests {
    private let host = TestHost()

    private static let page = #"{"pages": {"about": {"title": "@title", "content": []}}}"#

    /// Installs a bundle, and returns the folder of its resources.
    private func install() async throws -> FilePath {
        try host.offer(
            SamplePackage(
                kind: "assets", routes: [#"{"pattern": "shop/about", "page": "about", "layout": "main/about"}"#],
                library: nil,
                files: [
                    "Resources/Pages/main.json": Self.page, "Resources/a.txt": "text",
                    "Resources/en.lproj/Localizable.json": #"{"title": "About"}"#,
                ]))
        return host.sandbox.folder(of: try await host.manager.install(.shop).bundle).appending("Resources")
    }

    private func replace(_ path: FilePath, _ text: String) throws {
        try path.remove()
        try path.write(text)
    }

    private func refusal(
        _ host: TestHost, of name: String, _ code: AtriumError.Code = .sealBroken,
        _ location: SourceLocation = #_sourceLocation
    ) async throws -> AtriumError {
        let resources = try await host.manager.resources(of: .shop)
        let error = try #require(throws: AtriumError.self, sourceLocation: location) { try resources.bytes(of: name) }
        #expect(error.code == code, sourceLocation: location)
        return error
    }

    /// Returns the problems for which reading a resource fails.
    private func problems(of name: String, _ location: SourceLocation = #_sourceLocation) async throws -> [String] {
        try await refusal(host, of: name, .sealBroken, location).problems.map(\.description)
    }

    @Test("A resource that was changed on disk isn't returned, and the list of sealed files is read only once")
    func changed() async throws {
        let folder = try await install()
        let resources = try await host.manager.resources(of: .shop)
        #expect(try resources.bytes(of: "a.txt") == Array("text".utf8))
        for (text, what) in [
            ("next", "contentDiffers"), ("text.", "sizeDiffers(sealed: 4, size: 5)"),
            ("", "sizeDiffers(sealed: 4, size: 0)"),
        ] {
            try replace(folder.appending("a.txt"), text)
            let error = try await refusal(host, of: "a.txt")
            #expect(error.subject == "com.example.app.shop@1.0.0")
            #expect(error.problems.map(\.description) == ["at(place: Resources/a.txt, problem: \(what))"])
            #expect(throws: AtriumError.self) { try resources.bytes(of: "a.txt") }
        }
        try replace(folder.appending("a.txt"), "text")
        #expect(try resources.bytes(of: "a.txt") == Array("text".utf8))
        // Reading the list again would fail.
        try folder.parent.appending(Seal.name).remove()
        #expect(try resources.bytes(of: "Pages/main.json") == Array(Self.page.utf8))
    }

    @Test("An image whose sealed size is too large is not read")
    func largeImage() async throws {
        let content = String(repeating: "x", count: PageImage.largestFile + 1)
        let bundle = try await host.install(
            SamplePackage(kind: "assets", library: nil, files: ["Resources/large.png": content]))
        // Reading it would find that it was changed.
        try replace(host.sandbox.folder(of: bundle).appending("Resources/large.png"), content + "y")
        let resources = try await host.manager.resources(of: .shop)
        #expect(resources.image("large.png", text: "T") == PageImage(png: [], text: "T"))
        #expect(host.log.count == 1 && host.log[0].contains("fileTooLarge"), "\(host.log)")
    }

    @Test("A deleted resource is reported as damage, an unsealed one as such, and one that never existed as unknown")
    func removed() async throws {
        let folder = try await install()
        try folder.appending("a.txt").remove()
        #expect(try await problems(of: "a.txt") == ["at(place: Resources/a.txt, problem: sealedFileMissing)"])
        try folder.appending("more.txt").write("more")
        #expect(try await problems(of: "more.txt") == ["at(place: Resources/more.txt, problem: unsealed)"])
        let error = try await refusal(host, of: "b.txt", .resourceUnknown)
        #expect(error.reason?.description == "noResource(bundle: com.example.app.shop@1.0.0, path: Resources/b.txt)")
        _ = try await refusal(host, of: "Pages", .resourceUnknown)
        _ = try await refusal(host, of: "Pages/../a.txt", .resourceUnknown)
    }

    @Test("A resource isn't read through a symbolic link in any component of its path")
    func links() async throws {
        let folder = try await install()
        func isRefused(_ name: String, _ size: Int) throws -> Bool {
            let contents = try FileSystem.contents(below: folder, name, size: UInt64(size))
            return if case .other = contents { true } else { false }
        }
        let page = folder.appending("Pages/main.json")
        let size = Self.page.utf8.count
        #expect(try !isRefused("Pages/main.json", size))
        try folder.appending("Copies").makeFolder()
        try folder.appending("Copies/main.json").write(Self.page)
        try page.remove()
        try #require(symlink("../Copies/main.json", page.string) == 0)
        #expect(try isRefused("Pages/main.json", size))
        try folder.appending("Pages").remove()
        try #require(symlink("Copies", folder.appending("Pages").string) == 0)
        #expect(try isRefused("Pages/main.json", size))
        #expect(
            try await problems(of: "Pages/main.json") == [
                "at(place: Resources/Pages/main.json, problem: notRegularFile)"
            ])
        for name in ["../manifest.json", "/etc/passwd"] { #expect(try isRefused(name, 1), "\(name)") }
    }

    @Test("A declarative page that was changed on disk isn't shown")
    func page() async throws {
        let folder = try await install()
        let (router, navigator) = (host.router, host.navigator)
        try replace(folder.appending("Pages/main.json"), Self.page.replacing("@title", with: "@other"))
        let error = try await failingAsync(.sealBroken) { try await router.open("app://shop/about") }
        #expect(error.problems.map(\.description) == ["at(place: Resources/Pages/main.json, problem: contentDiffers)"])
        #expect(await navigator.pages.isEmpty)
    }

    @Test("A changed file of localized texts is ignored, and the host logs it once")
    func texts() async throws {
        let folder = try await install()
        let (router, navigator) = (host.router, host.navigator)
        try replace(folder.appending("en.lproj/Localizable.json"), #"{"title": "ABOUT"}"#)
        for _ in 0..<3 { try await router.open("app://shop/about") }
        let titles = await MainActor.run { navigator.pages.map { $0.title } }
        #expect(titles == ["title", "title", "title"])
        try #require(host.log.count == 2, "\(host.log)")
        #expect(
            host.log[0].contains("at(place: Resources/en.lproj/Localizable.json, problem: contentDiffers)"),
            "\(host.log)")
        // The missing text is logged once per page.
        #expect(host.log[1].contains("\"title\" has no text: there are no texts; the key is shown"), "\(host.log)")
    }

    private static func sample(_ files: [String: String], version: String = "1.0.0") -> SamplePackage {
        SamplePackage(version: version, kind: "assets", library: nil, files: files)
    }

    @Test(
        "The icon of an installed bundle is found by name, scale and language",
        arguments: [
            (["icon.png": "plain", "icon@2x.png": "double"], "plain"), (["icon@2x.png": "double"], "double"),
            (["en.lproj/icon.png": "english"], "english"), (["de.lproj/icon.png": "german"], nil),
            (["icon.png": String(repeating: "x", count: CatalogLimits.iconSize + 1)], nil),
        ] as [([String: String], String?)])
    func installed(files: [String: String], icon: String?) async throws {
        try host.offer(Self.sample(Dictionary(uniqueKeysWithValues: files.map { ("Resources/\($0)", $1) })))
        _ = try await host.manager.install(.shop)
        let found = try? await host.manager.icon(of: identity("1.0.0"))
        #expect(found == icon.map { Array($0.utf8) })
    }

    @Test("An icon that was changed after the installation is refused")
    func changedIcon() async throws {
        try host.offer(Self.sample(["Resources/icon.png": "icon"]))
        let bundle = try await host.manager.install(.shop).bundle
        let file = host.sandbox.folder(of: bundle).appending("Resources/icon.png")
        try file.remove()
        try file.write("nico")
        try await failingAsync(.sealBroken) { try await host.manager.icon(of: identity("1.0.0")) }
    }

    @Test("The icon of a package in a folder is read only if the host trusts its signer")
    func offered() async throws {
        var foreign = Self.sample(["Resources/icon.png": "foreign"], version: "1.1.0")
        foreign.key = try SigningKey.generate()
        try host.offer(Self.sample(["Resources/icon.png": "icon"]), foreign)
        #expect(try await host.manager.icon(of: identity("1.0.0")) == Array("icon".utf8))
        try await failingAsync(.teamUnknown) { try await host.manager.icon(of: identity("1.1.0")) }
    }
}
