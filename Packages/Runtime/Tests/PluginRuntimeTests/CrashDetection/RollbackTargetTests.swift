import Doctor
import Glibc
import PluginCore
import PluginRouter
import SQLite
import Testing
@testable import BundleFormat
@testable import HostSystem
@testable import PluginRuntime
@testable import Registry

@Suite("Automatic rollback after a crash, and blocks of crashed versions", .tags(.large))
struct RollbackTargetTests {
    private let host = TestHost()

    private static let (base, one, two): (BundleIdentifier, BundleIdentifier, BundleIdentifier) = (
        "com.example.lib.base", "com.example.app.one", "com.example.app.two"
    )

    private static func package(
        _ identifier: BundleIdentifier, _ version: String, requires: String? = nil, routes: [String] = []
    ) -> SamplePackage {
        SamplePackage(
            identifier: identifier, version: version, requires: requires.map { [base: $0] } ?? [:], routes: routes)
    }

    /// Updates bundles together from 1.0.0 to 2.0.0, which require the base of their own version.
    private func update(_ others: BundleIdentifier...) async throws {
        for version in ["1.0.0", "2.0.0"] {
            try host.offer(Self.package(Self.base, version))
            for identifier in others { try host.offer(Self.package(identifier, version, requires: "^\(version)")) }
        }
        let first = try host.version("1.0.0")
        try await host.manager.change(([Self.base] + others).map { .install($0, first) })
        try await host.manager.change(([Self.base] + others).map { .update($0) })
    }

    @Test("An automatic rollback also rolls back the dependencies that were updated with the crashed version")
    func requirement() async throws {
        try await update(Self.one)
        try host.recordCrash(Self.one)
        let next = host.another()
        let reports = try await next.manager.prepareForLaunch()
        #expect(try host.active == ["\(Self.one)@1.0.0", "\(Self.base)@1.0.0"])
        #expect(reports.map(\.bundle.identity.identifier) == [Self.one, Self.base])
        #expect(
            next.log == [
                "versionCrashed(crash: crashRolledBackWith(crash: crashedHost(phase: whileLoaded, signal: SIGABRT), "
                    + "others: [\(Self.base)@1.0.0], version: 1.0.0), version: 2.0.0)"
            ])
        #expect(try host.registry.quarantine.all().map(\.identity.description) == ["\(Self.one)@2.0.0"])
        // The crashed version is no longer a rollback target, but the version of its dependency is.
        #expect(try host.versions(Self.one) == ["1.0.0", nil])
        #expect(try host.versions(Self.base) == ["1.0.0", "2.0.0"])
        #expect(try host.registry.history.all().suffix(3).map(\.event) == [.quarantined, .rolledBack, .rolledBack])
        #expect(host.findings().allSatisfy { $0.severity != .wrong })
    }

    @Test(
        "An automatic rollback also rolls back every bundle that needs the crashed version",
        arguments: [[base], [one, two]])
    func dependents(crashed: [BundleIdentifier]) async throws {
        try await update(Self.one, Self.two)
        // In the second case, the dependency is rolled back with its dependents.
        for identifier in crashed { try host.recordCrash(identifier) }
        try await host.restart()
        #expect(try host.active == ["\(Self.one)@1.0.0", "\(Self.two)@1.0.0", "\(Self.base)@1.0.0"])
        #expect(try host.registry.quarantine.all().count == crashed.count)
    }

    @Test("If another bundle prevents the rollback, that bundle stays as it is and the crashed version is disabled")
    func chain() async throws {
        try await update(Self.one)
        // This bundle was never installed with another base.
        try host.offer(Self.package(Self.two, "2.0.0", requires: "^2.0.0"))
        try await host.manager.install(Self.two)
        try host.recordCrash(Self.one)
        #expect(try await host.restart().isEmpty)
        #expect(try host.active == ["\(Self.two)@2.0.0", "\(Self.base)@2.0.0"])
        let reason = try #require(try host.registry.quarantine.all().first?.reason)
        #expect(reason.name == "crashWithoutReplacement")
        let obstacle = try #require(reason.values["obstacle"]).description
        #expect(obstacle.contains("needs(bundle: \(Self.one)@1.0.0, "), "\(reason)")
        #expect(obstacle.contains("installedNeeds(bundle: \(Self.two)@2.0.0, "), "\(reason)")
        // The previous version is pruned because nothing returns to it.
        #expect(try host.registry.history.all().suffix(3).map(\.event) == [.quarantined, .disabled, .pruned])
    }

    @Test("A crashed version is disabled if a file of a rollback target was changed on disk", arguments: [one, base])
    func harmed(identifier: BundleIdentifier) async throws {
        try await update(Self.one)
        let kept = try #require(try host.registry.active.bundle(identifier)?.previous)
        try host.sandbox.folder(of: kept).appending("extra").write("not sealed")
        try host.recordCrash(Self.one)
        try await host.restart()
        #expect(try host.active == ["\(Self.base)@2.0.0"])
        #expect(
            try host.registry.quarantine.all().first?.reason.values["obstacle"]
                == .reason(.at("extra", ErrorReason("unsealed"))))
    }

    @Test("While a file of the rollback target is unreadable, the crashed version stays blocked and nothing is deleted")
    func unreadable() async throws {
        try await update(Self.one)
        let kept = try #require(try host.registry.active.bundle(Self.one)?.previous)
        let manifest = host.sandbox.folder(of: kept).appending("manifest.json")
        try host.recordCrash(Self.one)
        await #expect(processExitsWith: .success) {
            [root = host.root.string as String, manifest = manifest.string as String] in
            try #require(chmod(manifest, 0) == 0)
            let next = try ownedHost(in: root)
            let folders = try next.folders(RollbackTargetTests.one)
            #expect(try await next.manager.prepareForLaunch().isEmpty)
            #expect(next.log.count == 1 && next.log[0].hasPrefix("quarantinePostponed("), "\(next.log)")
            #expect(try next.versions(RollbackTargetTests.one) == ["2.0.0", "1.0.0"])
            let error = try await failingAsync(.sandboxUnwritable, of: manifest) {
                _ = try await next.manager.principal(of: RollbackTargetTests.one)
            }
            #expect(error.reason?.values["bundle"] == .text("\(RollbackTargetTests.one)@2.0.0"), "\(error)")
            #expect(error.reason?.description.contains("quarantinePending(crash: crashedHost(") == true)
            try await next.collectGarbage()
            #expect(try next.folders(RollbackTargetTests.one) == folders)
            try #require(chmod(manifest, 0o444) == 0)
            try await next.another().manager.prepareForLaunch()
            #expect(try next.versions(RollbackTargetTests.one) == ["1.0.0", nil])
        }
    }

    @Test("A crashed version is disabled if this host cannot load the previous version")
    func unloadable() async throws {
        let library = try await host.updateToUnloadable()
        try host.recordCrash(.shop)
        try await host.restart()
        #expect(try host.active == ["\(library.identifier)@1.1.0"])
        let reason = try #require(try host.registry.quarantine.all().first?.reason)
        #expect(reason.name == "crashWithoutReplacement" && reason.description.contains("answer"), "\(reason)")
    }

    @Test("A crashed version that awaits its rollback isn't loaded, and the error says what it did and why it waits")
    func waiting() async throws {
        try await update(Self.one)
        try host.recordCrash(Self.one)
        let next = host.another()
        let early = try await #require(throws: AtriumError.self) { _ = try await next.manager.principal(of: Self.one) }
        let did = "quarantinePending(crash: crashedHost(phase: whileLoaded, signal: SIGABRT), obstacle: "
        #expect(early.code == .quarantined && early.subject == "\(Self.one)@2.0.0", "\(early)")
        #expect(early.reason?.description == did + "quarantineAtStart)")
        // Another process handles the crash and takes too long.
        let busy = open(host.sandbox.crashLogs.string, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try #require(flock(busy, LOCK_EX) == 0)
        #expect(try await next.manager.prepareForLaunch().isEmpty)
        let error = try await failingAsync(.sandboxBusy) { _ = try await next.manager.principal(of: Self.one) }
        #expect(error.reason?.description == "ofBundle(bundle: \(Self.one)@2.0.0, reason: \(did)otherHostUsesIt))")
        // A program that another test starts right now may have a copy of the descriptor.
        try #require(flock(busy, LOCK_UN) == 0)
        close(busy)
        try await next.manager.prepareForLaunch()
        #expect(try host.versions(Self.one) == ["1.0.0", nil])
    }

    @Test("A bundle linked with a crashed library isn't loaded before the library's rollback")
    func waitingLibrary() async throws {
        let library = SampleLibrary()
        try host.offer(
            library.package(),
            SamplePackage(requires: [library.identifier: "^1.0.0"], library: await library.user()))
        try await host.manager.install(.shop)
        try host.recordCrash(library.identifier)
        try await failingAsync(.quarantined, of: "\(library.identifier)@1.0.0") {
            _ = try await host.manager.principal(of: .shop)
        }
    }

    @Test("A crashed version is disabled if another bundle has taken the routes of the previous version")
    func taken() async throws {
        try host.offer(Self.package(Self.one, "1.0.0", routes: ["page"]))
        try await host.manager.install(Self.one)
        try host.offer(Self.package(Self.one, "2.0.0"), Self.package(Self.two, "1.0.0", routes: ["page"]))
        try await host.manager.update(Self.one)
        try await host.manager.install(Self.two)
        try host.recordCrash(Self.one)
        try await host.restart()
        #expect(try host.active == ["\(Self.two)@1.0.0"])
    }

    @Test("An automatic rollback skips versions that never ran and returns to one that has run successfully")
    func neverRun() async throws {
        for version in ["1.0.0", "2.0.0", "3.0.0"] {
            try host.offer(Self.package(Self.one, version))
            let bundle = try await host.manager.install(Self.one).bundle
            if version == "1.0.0" { try host.registry.recordSuccessfulRun(bundle) }
        }
        try host.recordCrash(Self.one)
        try await host.restart()
        #expect(try host.versions(Self.one) == ["1.0.0", nil])
    }

    @Test("Unexplained ends before an uninstall don't count after a reinstall")
    func forgotten() async throws {
        try host.offer(Self.package(Self.one, "1.0.0"))
        for _ in 0..<2 {
            try await host.manager.install(Self.one)
            // A single unexplained end may be a coincidence.
            try host.recordCrash(Self.one, noting: "")
            try await host.restart()
            #expect(try host.versions(Self.one) == ["1.0.0", nil])
            try await host.manager.uninstall(Self.one)
        }
        #expect(try host.sandbox.crashLogs.names == [])
    }

    @Test("Uninstalling a crashed version before any host handled the crash still blocks that version")
    func uninstalledFirst() async throws {
        try host.offer(Self.package(Self.one, "1.0.0"), Self.package(Self.one, "2.0.0"))
        try await host.manager.install(Self.one)
        try host.recordCrash(Self.one)
        let next = host.another()
        try await next.manager.uninstall(Self.one)
        #expect(try host.sandbox.crashLogs.names == [])
        #expect(
            try host.registry.quarantine.all().map { "\($0.identity) \($0.reason)" } == [
                "\(Self.one)@2.0.0 crashedHost(phase: whileLoaded, signal: SIGABRT)"
            ])
        #expect(try host.history == [.installed, .quarantined, .uninstalled])
        #expect(next.states(of: "\(Self.one)@2.0.0").suffix(2) == ["quarantined", "removed"])
        try await next.refusal(.quarantined) { try await next.install(version: "2.0.0", of: Self.one) }
        try await next.manager.install(Self.one)
        #expect(try host.versions(Self.one) == ["1.0.0", nil])
    }

    @Test("A library that ends the host is rolled back, not its plugin", arguments: ["abort();", "_exit(3);"])
    func library(start: String) async throws {
        let library = SampleLibrary()
        let user = try await library.user()
        for (version, start) in [("1.0.0", ""), ("2.0.0", start)] {
            var package = try library.package(version)
            package.library = try library.built(answering: 1, soname: library.name, starting: start)
            try host.offer(
                package,
                SamplePackage(version: version, requires: [library.identifier: "^" + version], library: user))
            try await host.manager.install(.shop)
        }
        // The cause of an exit is unknown, so two are needed.
        for _ in 0..<(start == "abort();" ? 1 : 2) {
            await #expect(processExitsWith: start == "abort();" ? .signal(SIGABRT) : .exitCode(3)) {
                [root = host.root.string as String] in
                let host = TestHost(FilePath(root))
                _ = try await host.manager.principal(of: .shop)
            }
        }
        try await host.restart()
        #expect(try host.registry.quarantine.all().map(\.identity.description) == ["\(library.identifier)@2.0.0"])
        #expect(try host.versions(library.identifier) == ["1.0.0", nil])
        #expect(try host.versions() == ["1.0.0", "2.0.0"])
    }

    /// Has the host quarantine a crashed version, and returns that version's package.
    @discardableResult
    private func crash(_ version: String = "1.0.0", after before: String? = nil) async throws -> SamplePackage {
        if let before { try await host.install(SamplePackage(version: before)) }
        let package = SamplePackage(version: version, routes: ["shop"])
        try host.offer(package)
        try await host.manager.install(.shop)
        try host.recordCrash(.shop)
        try await host.restart()
        return package
    }

    /// Returns a package of the same version with different content.
    private static func mended(_ package: SamplePackage) -> SamplePackage {
        var mended = package
        mended.files["Resources/mended.txt"] = "it does not crash"
        return mended
    }

    @Test(
        "A crash blocks the content that crashed, not the version number, and the diagnosis says how to lift the block")
    func content() async throws {
        let package = try await crash()
        try await host.refusal(.quarantined) { try await host.manager.install(.shop) }
        #expect(try await host.provider(of: "app://shop") == (nil, .quarantined))
        let finding = try host.manager.diagnosis(of: .shop).findings.first { $0.topic == .quarantined }
        let reason = try #require(finding?.reason)
        #expect(
            reason.name == "blockedUntilUnblocked" && reason.values["bundle"] == "\(TestHost.shop)@1.0.0", "\(reason)")
        // A package that cannot be read is rejected as such.
        try host.catalog.appending("\(TestHost.shop)-1.0.0.zip").write("no archive")
        try await host.refusal(.packageInvalid) { try await host.manager.install(.shop) }
        try host.offer(Self.mended(package))
        #expect(try await host.provider(of: "app://shop") == (TestHost.shop.text, nil))
        try await host.install(version: "1.0.0")
        #expect(try host.versions() == ["1.0.0", nil])
        #expect(try host.registry.quarantine.all().count == 1)
    }

    @Test(
        "A blocked version with different content can be staged, also in place of the catalog's, and installed from a file",
        arguments: ["staged", "offered", "file"])
    func everyWay(_ way: String) async throws {
        let package = try await crash("1.1.0", after: "1.0.0")
        #expect(try await host.manager.update(.shop).isChange == false)
        let mended = try Self.mended(package).write(to: way == "staged" ? host.catalog : host.root)
        switch way {
        case "staged": try await host.manager.change([.update(.shop)], staging: true)
        case "offered":
            try await host.manager.change(
                [.install(.shop, host.version("1.1.0"))], offering: [PackageFile(path: mended).offered()], staging: true
            )
        default: try await host.manager.transactions.install.run(packageAt: mended)
        }
        try await host.restart()
        #expect(try host.versions() == ["1.1.0", "1.0.0"])
    }

    @Test("Uninstalling a bundle lifts its block, even if no version is left", arguments: [nil, "0.9.0"])
    func uninstall(before: String?) async throws {
        try await crash(after: before)
        let report = try await host.uninstall.run([.shop])
        #expect(report.removed.count == (before == nil ? 0 : 1))
        #expect(report.unblocked.map(\.identity.description) == ["\(TestHost.shop)@1.0.0"])
        if before == nil { #expect(try host.registry.history.all().last?.event == .unblocked) }
        try await host.manager.install(.shop)
        #expect(try host.versions() == ["1.0.0", nil])
        try await host.refusal(.nothingToUnblock) { try await host.quarantine.unblock(.shop) }
    }

    @Test("A rejected uninstall leaves the block in place")
    func refusedUninstall() async throws {
        try await crash()
        try host.offer(
            SamplePackage(identifier: "com.example.lib.base"),
            SamplePackage(identifier: "com.example.app.user", requires: ["com.example.lib.base": "^1.0.0"]))
        try await host.manager.install("com.example.app.user")
        try await host.refusal(.bundleNeeded) { try await host.uninstall.run([TestHost.shop, "com.example.lib.base"]) }
    }

    @Test("A block can be lifted by identifier, for one version or for all")
    func unblock() async throws {
        try await crash("1.1.0", after: "1.0.0")
        let error = try await host.refusal(.nothingToUnblock) {
            try await host.quarantine.unblock(.shop, version: host.version("1.0.0"))
        }
        #expect(error.nearest == ["\(TestHost.shop)@1.1.0"])
        let unblocked = try await host.quarantine.unblock(.shop, version: host.version("1.1.0"))
        #expect(unblocked.map(\.identity.version.description) == ["1.1.0"])
        #expect(try await host.manager.update(.shop).bundle.identity.version.description == "1.1.0")
    }

    @Test("A crashed version stays active if its block is lifted before a host quarantines it")
    func unblockFirst() async throws {
        try await host.install(SamplePackage())
        try host.recordCrash(.shop)
        #expect(try await host.quarantine.unblock(.shop).map(\.identity.identifier) == [TestHost.shop])
        try await host.restart()
        #expect(try host.versions() == ["1.0.0", nil])
    }

    @Test("The reason for a block is stored with its values")
    func stored() async throws {
        try await crash()
        var block = try #require(try host.registry.quarantine.all().first)
        let problem = ErrorReason.at("lib/\u{301}\"a\".so", ErrorReason("tooLarge", ["size": 2, "limit": -1]))
        let reason = ErrorReason(
            "crashWithoutReplacement",
            [
                "crash": .reason(block.reason),
                "obstacle": .reasons([problem, ErrorReason("chain", ["path": ["1", "{}"]])]),
            ])
        block = QuarantinedVersion(identity: block.identity, digest: block.digest, reason: reason, at: block.at)
        try host.registry.quarantine.set(block)
        #expect(try host.another().registry.quarantine.all() == [block])
    }
}

extension TestHost {
    /// Updates a bundle whose previous version needs a symbol that its updated library no longer has.
    @discardableResult
    func updateToUnloadable() async throws -> SampleLibrary {
        let library = SampleLibrary()
        let needs = [library.identifier: "^1.0.0"]
        try await install(library.package(), SamplePackage(requires: needs, library: library.user()))
        var newer = try library.package("1.1.0")
        newer.library = try library.built(answering: 1, as: "other", soname: library.name)
        try offer(newer, SamplePackage(version: "2.0.0", requires: needs))
        try await manager.change([.update(Self.shop), .update(library.identifier)])
        return library
    }

    /// Writes the crash sentinel that a host leaves if it dies while loading the active version of a bundle.
    func recordCrash(_ identifier: BundleIdentifier, noting note: String = "crash \(SIGABRT) here\n") throws {
        let bundle = try #require(try registry.active.version(of: identifier))
        let crashLog = CrashLog(bundle.key, .load, startedAt: 0)
        let file = try #require(CrashLogFile(crashLog.bytes, about: "load", in: sandbox.crashLogs))
        file.note(note)
        file.close()
    }
}
