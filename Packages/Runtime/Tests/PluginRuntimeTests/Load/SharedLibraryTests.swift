import Doctor
import Glibc
import PluginCore
import SQLite
import Testing
@testable import HostSystem
@testable import PluginRuntime
@testable import Registry

@Suite("Shared libraries of plugins, and their sonames", .tags(.large))
struct SharedLibraryTests {
    private let host = TestHost()

    private static let orders: BundleIdentifier = "com.example.app.orders"

    /// Offers a library and two plugins that are linked with it.
    private func offerLibrary() async throws -> SampleLibrary {
        let base = SampleLibrary()
        try host.offer(base.package())
        let user = try await base.user()
        for identifier in [TestHost.shop, Self.orders] {
            try host.offer(SamplePackage(identifier: identifier, requires: [base.identifier: "^1.0.0"], library: user))
        }
        return base
    }

    private func answer(_ host: TestHost, _ identifier: BundleIdentifier = TestHost.shop) async throws -> Int? {
        let principal = try await host.manager.principal(of: identifier)
        let request = ResourceRequest(uri: try ResourceURI("app://shop"), name: "answer")
        guard case .object(let value) = try await principal.resource(for: request) else { return nil }
        return value as? Int
    }

    /// Returns the mapped files of this process that have a name, from `/proc/self/maps`.
    private func mapped(_ name: String) throws -> Set<String> {
        // The kernel returns a few lines at a time, which Foundation takes for the whole file.
        let maps = try #require(fopen("/proc/self/maps", "r"))
        defer { fclose(maps) }
        var (line, capacity, files) = (UnsafeMutablePointer<CChar>?.none, 0, Set<String>())
        defer { free(line) }
        while getline(&line, &capacity, maps) > 0, let text = line.map({ String(cString: $0) }) {
            guard let start = text.firstIndex(of: "/"), text.hasSuffix("/\(name)\n") else { continue }
            files.insert(String(text[start...]))
        }
        return files
    }

    @Test("A library is opened before the first plugin that needs it, and once for all plugins")
    func shared() async throws {
        let base = try await offerLibrary()
        for bundle in [base.identifier, TestHost.shop, Self.orders] { try await host.manager.install(bundle) }
        #expect(try mapped(base.name).isEmpty)
        #expect(try await answer(host) == 1)
        #expect(try await answer(host, Self.orders) == 1)
        let files = try mapped(base.name)
        #expect(files.count == 1, "\(files)")
        // The mapped file is the sandbox's, not the one that the plugin was linked against.
        #expect(files.allSatisfy { $0.hasPrefix(host.sandbox.plugins.string) })
        // Observers receive the library's event once, before the plugin's.
        let loaded = host.events.filter { $0.state == .loaded }.map(\.identity.identifier)
        #expect(loaded == [base.identifier, TestHost.shop, Self.orders])
        // The library itself has no principal object.
        let error = try await host.refusal(.resourceUnknown) { try await host.manager.principal(of: base.identifier) }
        #expect(error.reason?.description == "libWithoutRoutes")
    }

    @Test("A library is opened after the libraries it is linked with")
    func transitive() async throws {
        let (base, middle) = (SampleLibrary(), SampleLibrary(identifier: "com.example.lib.middle"))
        let below = try base.built(answering: 40, as: "below", soname: base.name)
        let file = host.root.appending(base.name)
        try file.write(below)
        try host.offer(
            SamplePackage(identifier: base.identifier, kind: "lib", entry: base.name, library: below),
            SamplePackage(
                identifier: middle.identifier, kind: "lib", entry: middle.name, requires: [base.identifier: "*"],
                library: try middle.built(answering: 2, soname: middle.name, with: file)),
            SamplePackage(requires: [middle.identifier: "*"], library: try await middle.user()))
        for bundle in [base.identifier, middle.identifier, TestHost.shop] { try await host.manager.install(bundle) }
        #expect(try await answer(host) == 42)
    }

    @Test("A damaged library prevents its plugins from loading until an install repairs it")
    func harmed() async throws {
        let base = try await offerLibrary()
        let shop = try await host.manager.install(.shop).bundle
        let library = try host.bundle(base.identifier)
        try host.sandbox.folder(of: library.identity, digest: library.digest).appending("more").write("")
        let obstacle = try host.manager.diagnosis(of: shop.identity.identifier).findings.compactMap(\.obstacle)
            .first
        #expect(obstacle?.code == .sealBroken && obstacle?.subject == library.identity.description)
        #expect(try await host.manager.install(base.identifier, version: library.identity.version).isRepaired)
        #expect(try host.manager.diagnosis(of: shop.identity.identifier).findings.allSatisfy { $0.obstacle == nil })
        #expect(try await answer(host) == 1)
    }

    @Test("A plugin must declare the libraries it is linked with, even if they are installed")
    func undeclared() async throws {
        let base = try await offerLibrary()
        try await host.manager.install(base.identifier)
        let user = try await base.user()
        for package in [
            SamplePackage(version: "1.1.0", library: user),
            SamplePackage(version: "1.2.0", calls: [base.identifier: "*"], library: user),
        ] {
            try host.offer(package)
            let version = try host.version(package.version)
            let error = try await host.refusal(.libraryUnloadable) {
                try await host.manager.install(.shop, version: version)
            }
            #expect(
                error.problems.first?.values["what"]
                    == .reason(ErrorReason("libraryNotProvided", ["library": .text(base.name)])), "\(error)")
        }
    }

    @Test("Loading fails with the dependency chain while a library isn't installed, even if it is still open")
    func gone() async throws {
        let base = try await offerLibrary()
        for bundle in [TestHost.shop, Self.orders] { try await host.manager.install(bundle) }
        let registry = try host.database()
        let take = "DELETE FROM active WHERE identifier = '\(base.identifier)'"
        try registry.execute("CREATE TABLE away AS SELECT * FROM active WHERE identifier = '\(base.identifier)'")
        try registry.execute(take)
        let first = try await failingAsync(.dependencyUnmet) { try await host.manager.principal(of: .shop) }
        #expect(first.subject == "com.example.app.shop@1.0.0")
        #expect(
            first.reason?.description
                == "requirementChain(path: [\(TestHost.shop)@1.0.0, \(base.identifier) ^1.0.0], why: notInstalled)")
        try registry.execute("INSERT INTO active SELECT * FROM away")
        #expect(try await answer(host) == 1)
        // The library is still open, which doesn't count as installed.
        try registry.execute(take)
        let second = try await failingAsync(.dependencyUnmet) { try await host.manager.principal(of: Self.orders) }
        #expect(second.reason?.values["path"] == ["com.example.app.orders@1.0.0", "\(base.identifier) ^1.0.0"])
    }

    @Test("A plugin uses a newer library than it was linked with, but none out of range, which the error names")
    func outOfRange() async throws {
        let base = try await offerLibrary()
        try host.offer(base.package("1.1.0", answering: 11))
        for bundle in [base.identifier, TestHost.shop] { try await host.manager.install(bundle) }
        #expect(try await answer(host) == 11)
        try host.database().execute("UPDATE bundle SET json = replace(json, '^1.0.0', '^2.0.0')")
        let error = try await failingAsync(.dependencyUnmet) { try await host.another().manager.principal(of: .shop) }
        #expect(
            error.reason?.description
                == "requirementChain(path: [\(TestHost.shop)@1.0.0, \(base.identifier) ^2.0.0], "
                + "why: otherVersion(version: 1.1.0))")
    }

    @Test("A library that is open in another version requires a restart, and the error names both and the user")
    func restart() async throws {
        let base = try await offerLibrary()
        for bundle in [base.identifier, TestHost.shop, Self.orders] { try await host.manager.install(bundle) }
        #expect(try await answer(host) == 1)
        try host.offer(base.package("1.1.0", answering: 11))
        try await host.manager.install(base.identifier)
        try await host.refusal(
            .restartNeeded,
            because: "libraryNeeded(bundle: com.example.app.orders@1.0.0, soname: \(base.name), why: "
                + "libraryLoadedFor(bundle: com.example.app.shop@1.0.0, library: \(base.identifier)@1.0.0))",
            of: "\(base.identifier)@1.1.0"
        ) { try await host.manager.principal(of: Self.orders) }
        // The running plugin continues with its open version.
        #expect(try await answer(host) == 1)
        try await host.manager.rollBack(base.identifier)
        #expect(try await answer(host, Self.orders) == 1)
    }

    @Test("A library whose name another library in the process already has requires a restart")
    func foreign() async throws {
        let base = try await offerLibrary()
        for bundle in [base.identifier, TestHost.shop] { try await host.manager.install(bundle) }
        // A library that doesn't belong to any bundle has the name.
        let thief = host.root.appending("thief.so")
        try thief.write(try library(ofC: "int thief;", "-Wl,-soname,\(base.name)"))
        #expect(dlopen(thief.string, RTLD_NOW | RTLD_LOCAL) != nil)
        let error = try await host.refusal(.restartNeeded) { try await host.manager.principal(of: .shop) }
        #expect(error.reason?.values["why"] == .reason(ErrorReason("libraryOfNoBundle")))
    }

    @Test("Libraries that require each other are rejected with the cycle")
    func cycle() async throws {
        let (one, other) = (SampleLibrary(), SampleLibrary(identifier: "com.example.lib.other"))
        let user = try await one.user()
        try host.offer(
            one.package(requires: [other.identifier: "*"]), other.package(requires: [one.identifier: "*"]),
            SamplePackage(requires: [one.identifier: "*"], library: user))
        let error = try await host.refusal(.dependencyConflict) { try await host.manager.install(.shop) }
        let names = [one.identifier, other.identifier, one.identifier].map { "\($0)@1.0.0" }
        let paths = [names, [names[1], names[0], names[1]]]
        #expect(error.reason?.name == "libraryCycle")
        #expect(paths.contains { error.reason?.values["path"] == .list($0) }, "\(error)")
    }

    @Test("A plugin that requires two libraries with the same name is rejected")
    func sameName() async throws {
        let base = try await offerLibrary()
        var twin = try base.package()
        twin.identifier = "com.example.lib.twin"
        let user = try await base.user()
        try host.offer(
            twin,
            SamplePackage(
                version: "1.1.0", requires: [base.identifier: "*", twin.identifier: "*"], library: user))
        for bundle in [base.identifier, twin.identifier] { try await host.manager.install(bundle) }
        let error = try await host.refusal(.dependencyConflict) { try await host.manager.install(.shop) }
        let bundles = "one: \(base.identifier)@1.0.0, other: \(twin.identifier)@1.0.0"
        #expect(error.reason?.description == "libraryTwice(\(bundles), soname: \(base.name))")
    }

    @Test("A library is rejected if its soname is missing, isn't its file name, or belongs to the host")
    func soname() async throws {
        let base = SampleLibrary()
        let finding = "libraryFinding(remedy: linkWithSoname(library: \(base.name)), what: "
        for (soname, entry, problem) in [
            (nil, base.name, finding + "sonameMissing)"),
            ("libOther.so", base.name, finding + "sonameDiffers(library: \(base.name), soname: libOther.so))"),
            ("libPluginCore.so", "libPluginCore.so", "libraryOfHost(library: libPluginCore.so)"),
        ] {
            let (host, library) = (TestHost(), try base.built(answering: 1, soname: soname))
            try host.offer(SamplePackage(identifier: base.identifier, kind: "lib", entry: entry, library: library))
            let error = try await host.refusal(.libraryUnloadable) { try await host.manager.install(base.identifier) }
            #expect(error.problems.count == 1 && error.problems[0].description.contains(problem), "\(error)")
        }
    }

    @Test("A damaged library file is rejected before it is opened")
    func damaged() async throws {
        let base = try await offerLibrary()
        for bundle in [TestHost.shop, base.identifier].reversed() { try await host.manager.install(bundle) }
        let bundle = try host.bundle(base.identifier)
        let path = host.sandbox.folder(of: bundle)
            .appending("lib/\(Platform.triple)/\(base.name)")
        let bytes = try path.bytes
        try path.remove()
        try path.write(Array(bytes.prefix(4096)))
        let error = try await host.refusal(.sealBroken) { try await host.manager.principal(of: .shop) }
        #expect(error.subject == "\(base.identifier)@1.0.0")
        try path.remove()
        try path.write(bytes)
        #expect(try await answer(host) == 1)
    }

    @Test("If a library and its plugin are replaced while the plugin starts, the plugin isn't reported as faulty")
    func replacedBetween() async throws {
        let library = SampleLibrary()
        for major in [1, 2] {
            try host.offer(
                library.package("\(major).0.0", answering: major),
                SamplePackage(
                    version: "\(major).0.0", requires: [library.identifier: "^\(major).0.0"],
                    library: await library.user()))
        }
        try await host.install(version: "1.0.0")
        let other = host.another()
        let before = try #require(try other.registry.active.version(of: .shop))
        try await host.manager.update(.shop)
        await #expect(throws: ActivationCanceled.self) { _ = try await other.manager.loader.start(before) }
        _ = try await other.manager.principal(of: .shop)
    }

    private static let entry = "const void *plugin_entry_v3(void) { return NULL; }"

    @Test(
        "A plugin with a soname is rejected, so that no other bundle can be linked to its code",
        arguments: ["/proc/self/fd/16", "libSample.so", "libFoundation.so", "libMoney.so"])
    func refused(soname: String) async throws {
        let library = try library(ofC: Self.entry, options: ["-Wl,-soname,\(soname)"])
        let host = TestHost()
        try host.offer(SamplePackage(library: library))
        let error = try await host.refusal(.libraryUnloadable) { try await host.manager.install(.shop) }
        #expect(
            error.problems.map(\.description) == [
                "libraryFinding(remedy: linkWithoutSoname, what: sonameNotAllowed(soname: \(soname)))"
            ])
    }

    @Test("A library that is already open under a plugin's file name never runs in the plugin's place")
    func otherBundle() async throws {
        // A separate process, because an opened library stays open.
        await #expect(processExitsWith: .success) {
            let host = TestHost()
            try await host.install(SamplePackage(library: try await LoadTests.one.value))
            try SharedLibraryTests.bearNames(in: host.root)
            for _ in 0..<2 {
                try await failingAsync(.restartNeeded) { _ = try await host.manager.principal(of: .shop) }
            }
        }
    }

    /// Opens libraries whose sonames are all the file descriptor names that the plugin's file could get.
    private static func bearNames(in folder: FilePath) throws {
        // A placeholder as long as each of the names.
        let anyName = "/proc/\(getpid())/fd/00"
        let library = try library(ofC: "int thief;", "-Wl,-soname,\(anyName)")
        let place = try #require(library.firstRange(of: Array(anyName.utf8)))
        while (0..<9).contains(open("/dev/null", O_RDONLY)) {}
        for number in 10..<64 {
            var bytes = library
            bytes.replaceSubrange(place, with: "/proc/\(getpid())/fd/\(number)".utf8)
            let file = folder.appending("thief\(number).so")
            try file.write(bytes)
            try #require(dlopen(file.string, RTLD_NOW | RTLD_LOCAL) != nil)
        }
    }
}
