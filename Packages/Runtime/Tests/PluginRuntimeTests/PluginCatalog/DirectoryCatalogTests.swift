import Registry
import BundleFormat
import Doctor
import PluginCore
import PluginRuntime
import Testing

@Suite("Catalog folders", .tags(.medium))
struct DirectoryCatalogTests {
    private let temporary = TemporaryFolder()
    private var folder: FilePath { temporary.path }
    private var catalog: DirectoryCatalog { DirectoryCatalog(folder: folder) }

    @Test("The listing is sorted by identifier, and the versions of each bundle from newest to oldest")
    func sorted() async throws {
        for version in ["1.2.0", "1.10.0", "2.0.0-beta.1", "2.0.0", "1.9.9"] {
            try SamplePackage(version: version).write(to: folder)
        }
        try SamplePackage(identifier: "com.example.app.account").write(to: folder)
        try folder.appending("notes.txt").write("no package")
        let listing = try catalog.listing()
        #expect(
            listing.packages.map(\.manifest.identity.description) == [
                "com.example.app.account@1.0.0", "com.example.app.shop@2.0.0", "com.example.app.shop@2.0.0-beta.1",
                "com.example.app.shop@1.10.0", "com.example.app.shop@1.9.9", "com.example.app.shop@1.2.0",
            ])
        #expect(listing.problems.isEmpty)
        #expect(
            try catalog.versions(of: .shop).map(\.description) == ["2.0.0", "2.0.0-beta.1", "1.10.0", "1.9.9", "1.2.0"])
    }

    @Test("A listed package has its manifest, path and size")
    func package() async throws {
        let path = try SamplePackage(routes: ["shop"]).write(to: folder)
        let package = try catalog.package(identity("1.0.0"))
        #expect(package.path == path)
        #expect(package.size == Int64(try path.bytes.count))
        #expect(package.manifest.routes.map(\.pattern) == ["shop"])
    }

    @Test("A version that is only for other platforms is blocked with the reason, and an older one is installed")
    func platforms() async throws {
        let host = try TestHost()
        let other = SamplePackage(
            version: "2.0.0", library: nil, files: ["lib/m68k-unknown-linux-gnu/libSample.so": "no library"])
        try host.offer(SamplePackage(version: "1.0.0"), other)
        let rule = try host.manager.offers.packageBlockRule()
        let reasons = try host.manager.offers.catalog.listing().packages.map { try rule($0)?.reason?.name }
        #expect(reasons == ["otherPlatforms", nil])
        #expect(try await host.manager.install(.shop).bundle.identity.version.description == "1.0.0")
    }

    @Test("A damaged package is listed as a problem and doesn't hide the others")
    func damaged() async throws {
        try SamplePackage(version: "1.0.0").write(to: folder)
        try folder.appending("com.example.app.shop-2.0.0.zip").write("no zip")
        try folder.appending("com.example.app.shop-3.0.0.zip").makeFolder()
        try SamplePackage(version: "4.0.0", routes: [":"]).write(to: folder)
        let listing = try catalog.listing()
        #expect(listing.packages.map(\.manifest.identity.version.description) == ["1.0.0"])
        #expect(listing.problems.map(\.code) == [.manifestInvalid, .packageInvalid, .packageInvalid])
        #expect(
            listing.problems.map(\.subject) == ["4.0.0", "3.0.0", "2.0.0"].map { "com.example.app.shop-\($0).zip" })
    }

    @Test("The error for an unknown version suggests the available versions")
    func unknownVersion() async throws {
        try SamplePackage(version: "1.0.0").write(to: folder)
        try SamplePackage(version: "1.1.0").write(to: folder)
        let error = try failing(.versionUnknown) { try catalog.package(identity("1.2.0")) }
        #expect(error.nearest == ["com.example.app.shop@1.1.0", "com.example.app.shop@1.0.0"])
    }

    @Test("A missing catalog is unreachable, and an empty one offers nothing")
    func missing() async throws {
        #expect(try catalog.listing().packages.isEmpty)
        try folder.appending("file").write("")
        for place in ["missing", "file"] {
            let path = folder.appending(place)
            try failing(.catalogUnreachable, of: path.string) { try DirectoryCatalog(folder: path).listing() }
        }
    }
}
