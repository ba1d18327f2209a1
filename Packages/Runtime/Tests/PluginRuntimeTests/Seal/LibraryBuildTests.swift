import BundleFormat
import PluginCore
import PluginRuntime
import Preflight
import SQLite
import Testing
@testable import Doctor
@testable import HostSystem
@testable import Registry

@Suite("Packages with builds for several hosts", .tags(.medium))
struct LibraryBuildTests {
    private let host: TestHost

    init() { host = TestHost() }

    private static let text = "Clang 20.0.0 (https://example.org/llvm.git 0123456789abcdef)"
    /// The build of another host on this platform, and a library for it.
    private static let other = LibraryBuild(platform: Platform.triple, compiler: text, coreABI: CoreVersion.abi)
    private static let library = Result {
        try PluginRuntimeTests.library(
            ofC: "const void *plugin_entry_v3(void) { return NULL; }", "-Wno-builtin-macro-redefined",
            "-D__VERSION__=\"\(text)\"")
    }
    private static let entry = "libSample.so"

    /// A package with the builds of some hosts, of which the manifest names no Core ABI.
    private static func sample(
        _ version: String = "1.0.0", _ builds: [(LibraryBuild, [UInt8])]? = nil
    ) throws -> SamplePackage {
        var sample = SamplePackage(version: version, coreABI: 1, library: nil)
        let own = (LibraryBuild.host, try #require(SamplePackage.dummy))
        for (build, library) in try builds ?? [own, (other, Self.library.get())] {
            sample.libraries[BundleShape.libraryPath(of: entry, for: build.folder)] = library
        }
        return sample
    }

    @Test("A folder names a build, or else a platform that no host has")
    func names() {
        let build = Self.other
        #expect(LibraryBuild(build.folder) == build && build.folder.hasPrefix("\(Platform.triple)_clang-20.0.0-"))
        #expect(LibraryBuild(Platform.triple) == LibraryBuild(Platform.triple) && build.folder.utf8.count <= 64)
        let stem = "\(Platform.triple)_clang"
        for name in [
            "\(stem)_core-02", "\(stem)_core-", "\(stem)_core-2-x", "\(Platform.triple)__core-2", "core-2", "_core-2",
        ] {
            let malformed = LibraryBuild(name)
            #expect(malformed.coreABI == nil && malformed.folder == name)
            #expect(LibraryBuild.host.folder(among: [name]) == nil, "\(name)")
        }
        let all = [build.folder, Platform.triple, LibraryBuild.host.folder]
        #expect(LibraryBuild.host.folder(among: all) == LibraryBuild.host.folder)
        #expect(LibraryBuild.host.folder(among: all.dropLast()) == Platform.triple)
        // The same name and version of a compiler from another source is another build.
        let fork = LibraryBuild(platform: Platform.triple, compiler: Self.text + "1", coreABI: CoreVersion.abi)
        #expect(fork.folder != build.folder)
    }

    @Test("A host stores its own build, whatever Core ABI the manifest names; the seal is that of the whole package")
    func install() async throws {
        try host.offer(Self.sample())
        try await host.manager.install(.shop)
        let folder = host.sandbox.folder(of: try host.bundle())
        #expect(try folder.appending("lib").names == [LibraryBuild.host.folder])
        #expect(try host.maintenance.verify().map(\.findings.count) == [0])
        #expect(try host.manager.unloadable().isEmpty)
    }

    @Test("Without a build for this host, a version is refused with those it has, and an older one is chosen")
    func choice() async throws {
        try host.offer(Self.sample("1.1.0", [(Self.other, Self.library.get())]))
        let error = try await host.refusal(.libraryMissing) { try await host.manager.install(.shop) }
        #expect(
            error.reason
                == ErrorReason(
                    "otherPlatforms",
                    ["platforms": .list([Self.other.words]), "host": .text(LibraryBuild.host.words)]))
        try host.offer(Self.sample("1.0.0"))
        #expect(try await host.manager.install(.shop).bundle.version.description == "1.0.0")
    }

    @Test("A library that is not of its folder's build is refused")
    func lie() async throws {
        try host.offer(Self.sample("1.0.0", [(.host, Self.library.get())]))
        let error = try await host.refusal(.libraryIncompatible) { try await host.manager.install(.shop) }
        #expect("\(error)".contains("Clang 20.0.0"), "\(error)")
        let dummy = try #require(SamplePackage.dummy)
        let report = LibraryPreflight.validate(dummy, named: Self.entry, platform: Self.other.folder)
        #expect(report.findings.map(\.what.name) == ["libraryOfOtherBuild"])
        let sound = LibraryPreflight.validate(try Self.library.get(), named: Self.entry, platform: Self.other.folder)
        #expect(sound.isLoadable, "\(sound)")
    }

    @Test("From a published catalog, a host fetches its own part alone, and no version that serves other hosts")
    func published() async throws {
        let folder = TemporaryFolder()
        let (published, _, host) = try publishedCatalog(in: folder.path)
        try published.publish(SamplePackage(version: "1.1.0"), hosts: [Self.other.folder])
        try published.publish(Self.sample(), hosts: [LibraryBuild.host.folder, Self.other.folder].sorted())
        let own = "_for_\(LibraryBuild.host.folder).zip"
        // Nothing else can be downloaded.
        let targets = published.folder.appending("targets/\(TestHost.shop)")
        for name in try targets.names where name.hasSuffix(".zip") && !name.hasSuffix(own) {
            try targets.appending(name).remove()
        }
        let report = try await host.manager.install(.shop)
        #expect(report.bundle.version.description == "1.0.0")
        #expect(report.skippedVersions.map(\.error.reason?.name) == ["otherPlatforms"])
        let stored = host.sandbox.folder(of: report.bundle).appending("lib")
        #expect(try stored.names == [LibraryBuild.host.folder])
    }

    /// Installs a version, and puts its files in the state in which the other host has left them.
    private func installForOther() async throws {
        try await Self.installForOther(host, from: host.offer(Self.sample())[0])
    }

    private static func installForOther(_ host: TestHost, from path: FilePath) async throws {
        try await host.manager.install(.shop)
        try host.recordRun()
        let bundle = try host.bundle()
        let package = try SealedPackage(opening: path)
        let folder = host.sandbox.folder(of: bundle)
        try FileSystem.remove(folder)
        try package.extract(to: folder, for: other.folder)
        try host.database().execute(
            "UPDATE bundle SET json = json_set(json, '$.seal.libraryDigest', ?)",
            try ContentDigest.of(library.get()))
        #expect(try folder.appending("lib").names == [other.folder])
    }

    @Test(
        "After an upgrade of the host, a load says that update is needed, and update fetches the build of the same version"
    )
    func upgrade() async throws {
        try await installForOther()
        let next = host.another()
        let error = try #require(try next.manager.unloadable().first?.reason)
        #expect(error.code == .libraryMissing && error.reason?.name == "installedForOther", "\(error)")
        let refusal = try await next.refusal(.libraryMissing) { try await next.manager.principal(of: .shop) }
        #expect(refusal.reason == error.reason)
        // Others learn of it, too: the checkup and updates in the background.
        let remedies = next.findings().filter { $0.severity == .wrong }.map(\.remedy)
        #expect(Set(remedies) == [ErrorReason("runUpdate", ["bundle": .text(TestHost.shop)])])
        let reports = try next.manager.offers.updateReports()
        #expect(reports.map(\.isOutdated) == [true] && reports.map(\.reachable) == [reports.first?.active.version])
        let result = try await next.manager.transactions.install.update([.shop])
        #expect(result.reports.map(\.isRepaired) == [true])
        #expect(try next.manager.offers.updateReports().map(\.isOutdated) == [false])
        let bundle = try next.bundle()
        #expect(try next.sandbox.folder(of: bundle).appending("lib").names == [LibraryBuild.host.folder])
        // Whether the other library ran says nothing about this one, whose first run is watched for a crash.
        #expect(bundle.hasRunSince == nil && result.reports.map(\.bundle.hasRunSince) == [nil])
        #expect(bundle.seal.libraryDigest == (try ContentDigest.of(try #require(SamplePackage.dummy))))
        #expect(try next.manager.unloadable().isEmpty && next.maintenance.verify().map(\.findings.count) == [0])
        #expect(try await next.manager.transactions.install.update([.shop]).reports.map(\.isChange) == [false])
    }

    @Test("A rebuild of the registry keeps a version with the libraries of another host, which update replaces")
    func rebuilt() async throws {
        try await installForOther()
        let next = host.another()
        let report = try await next.rebuild()
        #expect(try report.leftOut == [] && report.active == [next.bundle()])
        #expect(try next.bundle().seal.libraryDigest == ContentDigest.of(Self.library.get()))
        #expect(try await next.manager.transactions.install.update([.shop]).reports.map(\.isRepaired) == [true])
        #expect(try next.bundle().hasRunSince == nil && next.manager.unloadable().isEmpty)
    }

    @Test("An update of all leaves a version in use with the libraries of the other host, and updates the others")
    func busy() async throws {
        try await installForOther()
        let another: BundleIdentifier = "com.example.app.another"
        try await host.install(SamplePackage(identifier: another))
        try host.offer(SamplePackage(identifier: another, version: "1.1.0"))
        let hold = try #require(try FolderLock.removal(of: host.sandbox.folder(of: host.bundle())))
        let next = host.another()
        let install = next.manager.transactions.install
        let result = try await install.update([.shop, another])
        #expect(result.failures.map(\.identity.identifier) == [.shop])
        #expect(result.failures.map(\.error.code) == [.sandboxBusy])
        #expect(result.reports.map(\.isChange) == [false, true] && result.waiting.isEmpty)
        #expect(try next.versions(another) == ["1.1.0", "1.0.0"])
        try await failingAsync(.sandboxBusy) { try await install.update([.shop], completely: true) }
        #expect(try next.bundle().hasRunSince != nil)
        hold.release()
        #expect(try await install.update([.shop, another]).reports.map(\.isRepaired) == [true, false])
    }

    @Test("An update of all leaves a version whose libraries cannot be downloaded, and says so")
    func notDownloaded() async throws {
        let folder = TemporaryFolder()
        let (published, _, host) = try publishedCatalog(in: folder.path)
        try published.publish(Self.sample(), hosts: [LibraryBuild.host.folder, Self.other.folder].sorted())
        try await Self.installForOther(host, from: published.file(of: identity("1.0.0")))
        let targets = published.folder.appending("targets/\(TestHost.shop)")
        for name in try targets.names where name.hasSuffix(".zip") { try targets.appending(name).remove() }
        let result = try await host.manager.transactions.install.update([.shop])
        #expect(try result.failures.map(\.identity) == [identity("1.0.0")])
        #expect(result.reports.map(\.isChange) == [false])
    }

    @Test(
        "Without a package with the same seal, an update of all leaves the version, and one by name says what is missing"
    )
    func notOffered() async throws {
        try await installForOther()
        try FileSystem.remove(host.catalog.appending(PackageFile.name(of: try host.bundle().identity)))
        let next = host.another()
        #expect(try next.manager.offers.updateReports().map(\.isOutdated) == [false])
        #expect(try await next.manager.transactions.install.update([.shop]).reports.map(\.isChange) == [false])
        try await next.refusal(.versionUnknown) {
            try await next.manager.transactions.install.update([.shop], completely: true)
        }
    }
}
