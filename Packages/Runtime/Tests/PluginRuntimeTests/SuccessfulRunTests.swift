import PluginCore
@testable import Registry
@testable import PluginRuntime
import Testing

@Suite("Records of successful runs", .tags(.medium))
struct SuccessfulRunTests {
    private let temporary = TemporaryFolder()
    private var folder: FilePath { temporary.path }

    @Test("Successful runs are in the registry and the minimum version file by the end of the session")
    func end() async throws {
        let sandbox = Sandbox(root: folder)
        try sandbox.plugins.makeFolder()
        let registry = Registry(sandbox)
        for number in 1...40 {
            let records = LoadRecords(registry)
            let bundle = PluginBundle.sample(try #require(BundleIdentifier("com.example.app.number\(number)")))
            records.add(hasRunVersions: bundle)
            // By now the background task has usually begun but not finished.
            await Task.yield()
            records.write()
            #expect(try registry.minimumVersions.all()[bundle.identity.identifier] == bundle.identity.version)
            #expect(try MinimumVersionFiles(sandbox).read()[bundle.identity.identifier] == bundle.identity.version)
        }
    }

    @Test("A run isn't recorded while the minimum version file cannot be written, and the next run is")
    func noMinimumVersionFile() async throws {
        let sandbox = Sandbox(root: folder)
        try sandbox.plugins.makeFolder()
        let registry = Registry(sandbox)
        let bundle = PluginBundle.sample()
        // A file is in place of the folder of minimum versions.
        try sandbox.minimumVersions.write("")
        #expect(throws: AtriumError.self) { try registry.recordSuccessfulRun(bundle) }
        #expect(try registry.minimumVersions.all() == [:])
        try sandbox.minimumVersions.remove()
        try registry.recordSuccessfulRun(bundle)
        #expect(try registry.minimumVersions.all() == MinimumVersionFiles(sandbox).read())
        #expect(try registry.minimumVersions.all().count == 1)
    }

    @Test("With a restored registry the minimum version is the higher one of the registry and its own file")
    func olderRegistry() async throws {
        let host = try TestHost()
        let first = try await host.install(first: "1.0.0", offering: "1.1.0")
        try host.registry.recordSuccessfulRun(first)
        let backup = try host.sandbox.registry.bytes
        try host.registry.recordSuccessfulRun(try await host.manager.update(.shop).bundle)
        host.registry.disconnect()
        try overwrite(host.sandbox.registry, with: backup)
        let another = try host.another()
        #expect(try another.registry.minimumVersions.version(of: .shop)?.description == "1.1.0")
        try await another.manager.uninstall(.shop)
        try await another.refusal(.downgrade) { try await another.install(version: "1.0.0") }
        #expect(try await another.manager.install(.shop).bundle.identity.version.description == "1.1.0")
    }

    @Test("Writing a bundle's minimum version doesn't affect another bundle with a similar identifier")
    func neighbor() throws {
        let files = MinimumVersionFiles(Sandbox(root: folder))
        let (high, low) = (SemanticVersion(major: 2, minor: 0, patch: 0), SemanticVersion(major: 1, minor: 0, patch: 0))
        try files.raise(BundleIdentity(identifier: "com.example.app.shop.new", version: high))
        try files.raise(BundleIdentity(identifier: "com.example.app.shop", version: low))
        #expect(try files.minimumVersion(of: "com.example.app.shop.new") == high)
        #expect(try files.minimumVersion(of: "com.example.app.shop") == low)
    }

    @Test("Folders and malformed files in place of a minimum version file are ignored")
    func noMinimumVersion() throws {
        let sandbox = Sandbox(root: folder)
        try sandbox.minimumVersions.appending("com.example.app.shop/file").write("")
        try sandbox.minimumVersions.appending("com.example.app.other").write(String(repeating: "1.0.0", count: 1_000))
        #expect(try MinimumVersionFiles(sandbox).read() == [:])
        #expect(try Registry(sandbox).minimumVersions.version(of: .shop) == nil)
    }
}
