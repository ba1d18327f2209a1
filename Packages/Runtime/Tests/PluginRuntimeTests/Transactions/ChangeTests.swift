import Doctor
import PluginCore
import Testing
@testable import BundleFormat
@testable import HostSystem
@testable import PluginRuntime
@testable import Registry

@Suite("Updates, rollbacks and uninstalls, and their events", .tags(.medium))
struct ChangeTests {
    private let host = TestHost()

    /// Offers three versions, and installs some of them one after another.
    private func installShop(_ versions: String...) async throws {
        for version in ["1.0.0", "1.1.0", "1.2.0"] {
            try host.offer(SamplePackage(version: version, routes: ["v/\(version)"], targets: ["Shop"]))
        }
        for version in versions { try await host.install(version: version) }
    }

    @Test("An update retains the previous version and prunes older ones")
    func update() async throws {
        try await installShop("1.0.0", "1.1.0")
        #expect(try host.folders() == ["1.0.0", "1.1.0"])
        let report = try await host.manager.update(.shop)
        #expect(report.bundle.identity.version.description == "1.2.0")
        #expect(report.before?.identity.version.description == "1.1.0")
        #expect(try host.versions() == ["1.2.0", "1.1.0"])
        #expect(try host.folders() == ["1.1.0", "1.2.0"])
        #expect(try host.registry.routes.patterns() == ["v/1.2.0"])
        #expect(host.states(of: "com.example.app.shop@1.0.0").last == "removed")
        let history = try host.registry.history.all(of: .shop)
        #expect(history.map(\.event) == [.installed, .updated, .updated, .pruned])
        #expect(history.map(\.before) == [nil, "1.0.0", "1.1.0", nil])
        #expect(history.map(\.version) == ["1.0.0", "1.1.0", "1.2.0", "1.0.0"])
        #expect(try host.sandbox.staging.names == [])
    }

    @Test("An update retains the last version that has run successfully, whatever comes after it")
    func lastThatRan() async throws {
        try await installShop("1.0.0")
        try host.recordRun()
        for (version, kept) in [("1.1.0", "1.0.0"), ("1.2.0", "1.0.0")] {
            try await host.install(version: version)
            #expect(try host.versions() == [version, kept])
        }
        // The version in between is pruned, and the rollback target isn't garbage.
        #expect(try host.folders() == ["1.0.0", "1.2.0"])
        #expect(try await host.collectGarbage().removed == [])
        try await host.manager.rollBack(.shop)
        #expect(try host.versions() == ["1.0.0", "1.2.0"])
    }

    @Test("An update of a bundle without code retains the previous version, as being active counts as a run")
    func withoutCode() async throws {
        for (version, kept) in [("1.0.0", nil), ("1.1.0", "1.0.0"), ("1.2.0", "1.1.0")] {
            try await host.install(SamplePackage(version: version, kind: "assets", library: nil))
            #expect(try host.versions() == [version, kept])
            #expect(try host.registry.notes.minimumVersion(of: .shop)?.description == version)
        }
    }

    @Test("An update shares unchanged files with the previous version, after verifying them, and writes the others")
    func sharing() async throws {
        let text = String(repeating: "x", count: UnchangedFiles.smallest)
        let files = [
            "Resources/same.txt": text, "Resources/harmed.txt": text + "!", "Resources/other.txt": text + "one",
            "Resources/small.txt": "small",
        ]
        let old = try await host.install(SamplePackage(version: "1.0.0", files: files))
        let harmed = host.sandbox.folder(of: old).appending("Resources/harmed.txt")
        try harmed.remove()
        try harmed.write(text + "?")
        try host.offer(
            SamplePackage(version: "1.1.0", files: files.merging(["Resources/other.txt": text + "two"]) { $1 }))
        let new = try await host.manager.update(.shop).bundle
        func isShared(_ name: String) throws -> Bool {
            let files = try [old, new].map {
                try #require(try FileStamp(ofFile: host.sandbox.folder(of: $0).appending(name)))
            }
            return files[0].file == files[1].file
        }
        #expect(try isShared("Resources/same.txt"))
        for name in ["harmed.txt", "other.txt", "small.txt"] { #expect(try !isShared("Resources/\(name)")) }
        // The loader identifies libraries by their files.
        #expect(try !isShared(BundleShape.libraryPath(of: "libSample.so")))
        #expect(try host.maintenance.verify().last?.findings == [])
        try await host.manager.uninstall(.shop)
        #expect(try host.sandbox.plugins.names == [])
    }

    @Test("An update to the active version does nothing, and updating an unknown bundle fails")
    func updateNothing() async throws {
        try await installShop("1.2.0")
        let before = try host.tree
        #expect(try await !host.manager.update(.shop).isChange)
        #expect(try host.tree == before)
        let error = try await host.refusal(.bundleNotInstalled) {
            try await host.manager.update("com.example.app.shap")
        }
        #expect(error.nearest == [TestHost.shop.text])
    }

    @Test("A rollback activates the previous version, and a second rollback reverts the first")
    func rollBack() async throws {
        try await installShop("1.0.0", "1.1.0")
        #expect(try await host.manager.rollBack(.shop).bundle.identity.version.description == "1.0.0")
        #expect(try host.versions() == ["1.0.0", "1.1.0"])
        #expect(try host.registry.routes.patterns() == ["v/1.0.0"])
        try await host.manager.rollBack(.shop)
        #expect(try host.versions() == ["1.1.0", "1.0.0"])
        #expect(try host.registry.routes.patterns() == ["v/1.1.0"])
        #expect(try host.folders() == ["1.0.0", "1.1.0"])
        #expect(try host.registry.history.all().suffix(2).map(\.event) == [.rolledBack, .rolledBack])
    }

    @Test("A rollback without a previous version, or with deleted files of it, fails")
    func rollBackRefused() async throws {
        try await installShop("1.0.0")
        try await host.refusal(.nothingToRollBack) { try await host.manager.rollBack(.shop) }
        try await host.refusal(.bundleNotInstalled) { try await host.manager.rollBack("com.example.none") }
        try await host.manager.update(.shop)
        let previous = try #require(try host.registry.active.bundle(.shop)?.previous)
        try host.sandbox.folder(of: previous.identity, digest: previous.digest).remove()
        try await host.refusal(.bundleUnavailable) { try await host.manager.rollBack(.shop) }
    }

    @Test("A rollback to a version that this host cannot load fails")
    func unloadableRollback() async throws {
        try await host.updateToUnloadable()
        let error = try await host.refusal(.libraryUnloadable) { try await host.manager.rollBack(.shop) }
        #expect("\(error)".contains("answer"), "\(error)")
    }

    @Test("A bundle that is named twice in one request is changed once")
    func twice() async throws {
        try await installShop("1.0.0", "1.1.0")
        let shop = TestHost.shop
        let back = try await host.rollback.run([shop, shop])
        #expect(back.map(\.bundle.identity.description) == ["\(shop)@1.0.0"])
        #expect(try await host.manager.change([.update(shop), .update(shop)]).count == 1)
        #expect(try await host.manager.change([.install(shop), .install(shop)]).count == 1)
        #expect(try await host.uninstall.run([shop, shop]).removed.count == 1)
    }

    @Test("An uninstall removes all of a bundle, and keeps its data unless that is to go", arguments: [false, true])
    func uninstall(deleteData: Bool) async throws {
        try await installShop("1.0.0", "1.1.0")
        let diary = host.sandbox.container(of: .shop).appending("Documents/diary")
        try diary.write("kept")
        let gone = try await host.manager.uninstall(.shop, deleteData: deleteData).removed
        #expect(gone.map(\.identity.version.description) == ["1.1.0"])
        #expect(try host.registry.active.all().isEmpty)
        #expect(try host.registry.routes.patterns().isEmpty)
        #expect(try host.registry.targetNames().isEmpty)
        #expect(try host.sandbox.plugins.names == [])
        #expect(try host.sandbox.staging.names == [])
        #expect(diary.exists != deleteData)
        #expect(host.sandbox.container(of: .shop).exists != deleteData)
        #expect(try host.history.last == .uninstalled)
        for version in ["1.0.0", "1.1.0"] {
            #expect(host.states(of: "com.example.app.shop@" + version).last == "removed")
        }
        try await host.refusal(.bundleNotInstalled) { try await host.manager.uninstall(.shop) }
        try await host.install(version: "1.0.0")
        #expect(try host.versions() == ["1.0.0", nil] && host.history.last == .installed)
        #expect(diary.exists != deleteData)
    }

    @Test("Failed requests without a sandbox leave nothing, also after exclusive access")
    func nothingThere() async throws {
        try await host.refusal(.bundleNotInstalled) { try await host.manager.update(.shop) }
        try await host.refusal(.bundleNotInstalled) { try await host.manager.rollBack(.shop) }
        try await host.refusal(.bundleNotInstalled) { try await host.manager.uninstall(.shop) }
        try await host.refusal(.bundleNotInstalled) { try await host.manager.principal(of: .shop) }
        #expect(!host.sandbox.root.exists)
        try await host.writer.withWriterLock {
            await #expect(throws: AtriumError.self) { try await host.manager.install(.shop) }
        }
        #expect(!host.sandbox.root.exists)
    }

    @Test("A change while another process changes the sandbox fails and names that process")
    func twoWriters() async throws {
        try await installShop("1.0.0")
        let other = host.another()
        try await other.writer.withWriterLock {
            let error = try await host.refusal(.sandboxBusy) { try await host.manager.update(.shop) }
            #expect(error.reason?.values["writer"]?.description.hasPrefix("process ") == true)
            // Reading and loading need no lock.
            _ = try await host.manager.resources(of: .shop)
            #expect(try host.versions() == ["1.0.0", nil])
        }
        #expect(!host.sandbox.lock.exists)
        try await host.manager.update(.shop)
        #expect(try other.versions() == ["1.2.0", "1.0.0"])
    }

    @Test("The sandbox can be changed while another process runs plugins, and files in use stay until they are free")
    func besideRunning() async throws {
        try await installShop("1.0.0", "1.1.0")
        let other = host.another()
        var resources: BundleResources? = try await other.manager.resources(of: .shop)
        try await host.manager.rollBack(.shop)
        try await host.manager.update(.shop)
        try await host.manager.uninstall(.shop)
        // The version that the other host uses stays.
        #expect(try host.folders() == ["1.1.0"])
        #expect(host.states(of: "com.example.app.shop@1.1.0").last == "retired")
        #expect(try await host.collectGarbage().inUse.map(\.lastComponent.description).count == 1)
        #expect(resources != nil)
        resources = nil
        #expect(try await host.collectGarbage().removed.count == 1)
        #expect(host.states(of: "com.example.app.shop@1.1.0").last == "removed")
        #expect(!host.sandbox.plugins.appending(TestHost.shop.text).exists)
    }

    @Test("Data isn't deleted if another host installs a dependent of the bundle meanwhile")
    func installedMeanwhile() async throws {
        try host.offer(
            SamplePackage(), SamplePackage(identifier: "com.example.app.other", requires: [TestHost.shop: "^1.0.0"])
        )
        try await host.manager.install(.shop)
        try await host.manager.uninstall(.shop)
        let diary = host.sandbox.container(of: .shop).appending("Documents/diary")
        try diary.write("kept")
        let other = host.another()
        // The uninstall waits for the lock while the other host installs the dependent.
        let uninstall = try await other.writer.withWriterLock {
            let uninstall = Task { try await host.uninstall.run([.shop], deleteData: true) }
            try await other.manager.install("com.example.app.other")
            return uninstall
        }
        try await failingAsync(.bundleNeeded) { try await uninstall.value }
        #expect(try diary.text == "kept")
    }

    private static let other: BundleIdentifier = "com.example.app.other"
    private let both = [TestHost.shop, Self.other]

    /// Installs two bundles, the first of which requires the second, and returns a file of the data of each.
    private func installPair() async throws -> [FilePath] {
        try host.offer(SamplePackage(requires: [Self.other: "^1.0.0"]), SamplePackage(identifier: Self.other))
        try await host.manager.install(.shop)
        let diaries = [TestHost.shop, Self.other].map { host.sandbox.container(of: $0).appending("Documents/diary") }
        for diary in diaries { try diary.write("kept") }
        return diaries
    }

    @Test("An interrupted uninstall with data can be repeated and deletes the remaining data", arguments: [0, 1, 2])
    func repeated(erased: Int) async throws {
        let diaries = try await installPair()
        try host.registry.commit(both.map { .remove($0) })
        for diary in diaries.prefix(erased) { try diary.parent.parent.parent.remove() }
        if erased == 2 {
            try await host.refusal(.bundleNotInstalled) { try await host.uninstall.run(both, deleteData: true) }
            return
        }
        let report = try await host.uninstall.run(both, deleteData: true)
        #expect(report.removed == [] && report.erased == Array(both.dropFirst(erased)))
        #expect(diaries.allSatisfy { !$0.exists })
        try await host.refusal(.bundleNotInstalled) {
            try await host.uninstall.run(
                [TestHost.shop, "com.example.app.unheard"], deleteData: true)
        }
    }

    @Test("An interrupted uninstall of a cascade is completed by the same or next change", arguments: [true, false])
    func cascade(isRepeated: Bool) async throws {
        let diaries = try await installPair()
        // Simulates a host that was killed after the commit.
        try host.registry.commit(both.map { .remove($0) }, erasing: both)
        if isRepeated {
            let report = try await host.uninstall.run(
                [Self.other], deleteData: true, cascade: true)
            #expect(report.erased == [Self.other])
        } else {
            try await host.manager.install(.shop)
        }
        #expect(diaries.allSatisfy { !$0.exists })
        #expect(try host.registry.notes.erased() == [])
    }

    @Test("A completed uninstall leaves no pending deletion, so a reinstalled bundle keeps its data")
    func done() async throws {
        let diaries = try await installPair()
        try await host.uninstall.run([Self.other], deleteData: true, cascade: true)
        #expect(try host.registry.notes.erased() == [])
        try await host.manager.install(.shop)
        try diaries[0].write("new")
        try await host.manager.uninstall(.shop)
        try await host.manager.uninstall(Self.other)
        #expect(try diaries[0].text == "new")
    }

    private func install(_ versions: String...) async throws {
        for version in versions { try await host.install(SamplePackage(version: version)) }
    }

    @Test("A version that was never loaded is reported as replaced, as returned, and as removed when it is pruned")
    func replaced() async throws {
        try await install("1.0.0", "1.1.0", "1.2.0")
        #expect(host.life(of: "1.0.0").suffix(3) == [.installed(.new), .retired(.replaced), .removed])
        try await host.manager.rollBack(.shop)
        #expect(host.life(of: "1.1.0").suffix(3) == [.installed(.new), .retired(.replaced), .installed(.returned)])
        #expect(host.life(of: "1.2.0").suffix(2) == [.installed(.new), .retired(.replaced)])
    }

    @Test("A staged version becomes active at the next start and not before, which is reported and recorded")
    func staged() async throws {
        try await install("1.0.0")
        try host.offer(SamplePackage(version: "1.1.0"))
        let report = try #require(try await host.manager.change([.update(.shop)], staging: true).first)
        #expect(report.isStaged && report.bundle.identity.version.description == "1.1.0")
        #expect(host.life(of: "1.1.0").suffix(2) == [.verified(team: "com.example"), .waiting])
        #expect(try host.versions() == ["1.0.0", nil] && host.staged == ["1.1.0"])
        // A staged version is no garbage.
        #expect(try await host.collectGarbage().removed == [])
        let next = host.another()
        #expect(try await next.manager.prepareForLaunch().map(\.bundle.identity.version.description) == ["1.1.0"])
        #expect(try host.versions() == ["1.1.0", "1.0.0"] && host.staged == [])
        #expect(next.life(of: "1.1.0") == [.installed(.adopted)])
        #expect(next.life(of: "1.0.0") == [.retired(.replaced)])
        #expect(try host.history == [.installed, .staged, .updated])
    }

    @Test("Quarantine is reported with its reason, along with the version that returns")
    func quarantined() async throws {
        try await install("1.0.0", "1.1.0")
        try host.recordCrash(.shop)
        let next = host.another()
        try await next.manager.prepareForLaunch()
        let reason = ErrorReason("crashedHost", ["signal": "SIGABRT", "phase": .reason(ErrorReason("whileLoaded"))])
        #expect(next.life(of: "1.1.0") == [.quarantined(reason: reason), .removed])
        #expect(next.life(of: "1.0.0") == [.installed(.returned)])
        #expect(try host.history == [.installed, .updated, .quarantined, .rolledBack])
    }

    @Test("An uninstall is reported for the active and the staged version")
    func uninstalled() async throws {
        try await install("1.0.0")
        try host.offer(SamplePackage(version: "1.1.0"))
        try await host.manager.change([.update(.shop)], staging: true)
        try await host.manager.uninstall(.shop)
        for version in ["1.0.0", "1.1.0"] {
            #expect(host.life(of: version).suffix(2) == [.retired(.withdrawn), .removed])
        }
        #expect(try host.history == [.installed, .staged, .uninstalled])
    }

    @Test("A version that is rejected after staging is reported as removed")
    func refused() async throws {
        try await install("1.0.0")
        var package = SamplePackage(version: "1.1.0")
        package.library = Array("no library".utf8)
        try host.offer(package)
        try await host.refusal(.libraryUnloadable) { try await host.manager.update(.shop) }
        #expect(host.life(of: "1.1.0").suffix(2) == [.staged, .removed])
        #expect(host.life(of: "1.0.0").last == .installed(.new))
    }
}

extension TestHost {
    /// Returns the states that one version of the shop went through.
    fileprivate func life(of version: String) -> [BundleState] {
        events.filter { $0.identity.description == "\(TestHost.shop)@\(version)" }.map(\.state)
    }
}
