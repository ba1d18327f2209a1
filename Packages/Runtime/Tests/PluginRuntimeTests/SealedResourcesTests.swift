import Glibc
import PluginCore
@testable import BundleFormat
@testable import Registry
@testable import HostSystem
@testable import PluginRuntime
import Testing

@Suite("Resources of installed bundles", .tags(.medium))
struct SealedResourcesTests {
    private static let page = #"{"pages": {"about": {"title": "@title", "content": []}}}"#

    private func withInstalled(_ body: (TestHost, FilePath) async throws -> Void) async throws {
        try await withHost { host in
            try host.offer(
                SamplePackage(
                    kind: "assets",
                    routes: [#"{"pattern": "shop/about", "page": "about", "layout": "main/about"}"#], library: nil,
                    files: [
                        "Resources/Pages/main.json": Self.page, "Resources/a.txt": "text",
                        "Resources/en.lproj/Localizable.json": #"{"title": "About"}"#,
                    ]))
            let bundle = try await host.manager.install(TestHost.shop).bundle
            try await body(host, host.sandbox.folder(of: bundle).appending("Resources"))
        }
    }

    private func replace(_ path: FilePath, _ text: String) throws {
        try path.remove()
        try path.write(text)
    }

    private func refusal(
        _ host: TestHost, of name: String, _ code: AtriumError.Code = .sealBroken,
        _ location: SourceLocation = #_sourceLocation
    ) async throws -> AtriumError {
        let resources = try await host.manager.resources(of: TestHost.shop)
        let error = try #require(throws: AtriumError.self, sourceLocation: location) { try resources.bytes(of: name) }
        #expect(error.code == code, sourceLocation: location)
        return error
    }

    @Test("A resource that was changed on disk isn't returned, whether it was read before or not")
    func changed() async throws {
        try await withInstalled { host, folder in
            let resources = try await host.manager.resources(of: TestHost.shop)
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
        }
    }

    @Test("An image whose sealed size is too large is not read")
    func largeImage() async throws {
        try await withHost { host in
            let content = String(repeating: "x", count: PageImage.largestFile + 1)
            try host.offer(SamplePackage(kind: "assets", library: nil, files: ["Resources/large.png": content]))
            let bundle = try await host.manager.install(TestHost.shop).bundle
            // Reading it would find that it was changed.
            try replace(host.sandbox.folder(of: bundle).appending("Resources/large.png"), content + "y")
            let resources = try await host.manager.resources(of: TestHost.shop)
            #expect(resources.image("large.png", text: "T") == PageImage(png: [], text: "T"))
            #expect(host.log.count == 1 && host.log[0].contains("fileTooLarge"), "\(host.log)")
        }
    }

    @Test("A deleted resource is reported as damage, and one that never existed as unknown")
    func removed() async throws {
        try await withInstalled { host, folder in
            try folder.appending("a.txt").remove()
            #expect(
                try await refusal(host, of: "a.txt").problems.map(\.description) == [
                    "at(place: Resources/a.txt, problem: sealedFileMissing)"
                ])
            let error = try await refusal(host, of: "b.txt", .resourceUnknown)
            #expect(
                error.reason?.description == "noResource(bundle: com.example.app.shop@1.0.0, path: Resources/b.txt)")
            _ = try await refusal(host, of: "Pages", .resourceUnknown)
            _ = try await refusal(host, of: "Pages/../a.txt", .resourceUnknown)
        }
    }

    @Test("A file that isn't in the seal cannot be read as a resource")
    func unsealed() async throws {
        try await withInstalled { host, folder in
            try folder.appending("more.txt").write("more")
            #expect(
                try await refusal(host, of: "more.txt").problems.map(\.description) == [
                    "at(place: Resources/more.txt, problem: unsealed)"
                ])
        }
    }

    @Test("A resource isn't read through a symbolic link in any component of its path", arguments: [false, true])
    func links(isByStep: Bool) async throws {
        try await withInstalled { host, folder in
            func read(_ name: String, _ size: UInt64) throws -> FileSystem.ExpectedContents {
                try FileSystem.contents(below: folder, name, size: size, isByStep: isByStep)
            }
            let page = folder.appending("Pages/main.json")
            let size = UInt64(Self.page.utf8.count)
            guard case .file(Array(Self.page.utf8)) = try read("Pages/main.json", size) else {
                Issue.record("it cannot be read as it is")
                return
            }
            try folder.appending("Copies").makeFolder()
            try folder.appending("Copies/main.json").write(Self.page)
            try page.remove()
            try #require(symlink("../Copies/main.json", page.string) == 0)
            guard case .other = try read("Pages/main.json", size) else {
                Issue.record("the last component may be a link")
                return
            }
            try folder.appending("Pages").remove()
            try #require(symlink("Copies", folder.appending("Pages").string) == 0)
            guard case .other = try read("Pages/main.json", size) else {
                Issue.record("a folder may be a link")
                return
            }
            #expect(
                try await refusal(host, of: "Pages/main.json").problems.map(\.description) == [
                    "at(place: Resources/Pages/main.json, problem: notRegularFile)"
                ])
            for name in ["../manifest.json", "/etc/passwd"] {
                guard case .other = try read(name, 1) else {
                    Issue.record("\(name) leads out")
                    continue
                }
            }
        }
    }

    @Test("The list of sealed files is read only once")
    func listed() async throws {
        try await withInstalled { host, folder in
            let resources = try await host.manager.resources(of: TestHost.shop)
            _ = try resources.bytes(of: "a.txt")
            // Reading the list again would fail.
            try folder.parent.appending(Seal.name).remove()
            #expect(try resources.bytes(of: "Pages/main.json") == Array(Self.page.utf8))
        }
    }

    @Test("A declarative page that was changed on disk isn't shown")
    func page() async throws {
        try await withInstalled { host, folder in
            let (router, navigator) = (host.router, host.navigator)
            try replace(folder.appending("Pages/main.json"), Self.page.replacing("@title", with: "@other"))
            let error = try await #require(throws: AtriumError.self) { try await router.open("app://shop/about") }
            #expect(error.code == .sealBroken)
            #expect(
                error.problems.map(\.description) == ["at(place: Resources/Pages/main.json, problem: contentDiffers)"])
            #expect(await navigator.pages.isEmpty)
        }
    }

    @Test("A changed file of localized texts is ignored, and the host logs it once")
    func texts() async throws {
        try await withInstalled { host, folder in
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
    }
}
