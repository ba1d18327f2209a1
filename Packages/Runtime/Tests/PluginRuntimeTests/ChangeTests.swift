import PluginCore
@testable import PluginRuntime
import Testing

@Suite("Updating, rolling back, uninstalling")
struct ChangeTests {
    private static let offered = ["1.0.0", "1.1.0", "1.2.0"]

    private static func withShop(_ versions: [String], _ body: (TestHost) async throws -> Void) async throws {
        try await withHost { host in
            for version in offered {
                try host.offer(SamplePackage(version: version, routes: ["v/\(version)"], targets: ["Shop"]))
            }
            for version in versions {
                try await host.manager.install(TestHost.shop, version: host.version(version))
            }
            try await body(host)
        }
    }

    @Test("an update keeps the version before and prunes what is older")
    func update() async throws {
        try await Self.withShop(["1.0.0", "1.1.0"]) { host in
            #expect(try host.folders() == ["1.0.0", "1.1.0"])
            let report = try await host.manager.update(TestHost.shop)
            #expect(report.bundle.identity.version.description == "1.2.0")
            #expect(report.before?.identity.version.description == "1.1.0")
            #expect(try host.versions() == ["1.2.0", "1.1.0"])
            #expect(try host.folders() == ["1.1.0", "1.2.0"])
            #expect(try host.registry.patterns() == ["v/1.2.0"])
            #expect(host.states(of: "com.example.app.shop@1.0.0").last == "removed")
            let history = try host.registry.history(of: TestHost.shop)
            #expect(history.map(\.event) == [.installed, .updated, .updated, .pruned])
            #expect(history.map(\.before) == [nil, "1.0.0", "1.1.0", nil])
            #expect(history.map(\.version) == ["1.0.0", "1.1.0", "1.2.0", "1.0.0"])
            #expect(try host.sandbox.staging.names == [])
        }
    }

    @Test("an update keeps the last version that has run, however many come after it without running")
    func lastThatRan() async throws {
        try await Self.withShop(["1.0.0"]) { host in
            try host.registry.prove(try #require(try host.registry.active(TestHost.shop)))
            for (version, kept) in [("1.1.0", "1.0.0"), ("1.2.0", "1.0.0")] {
                try await host.manager.install(TestHost.shop, version: host.version(version))
                #expect(try host.versions() == [version, kept])
            }
            // What came in between is not needed, and what is to go back to is no garbage.
            #expect(try host.folders() == ["1.0.0", "1.2.0"])
            #expect(try await host.manager.collectGarbage().removed == [])
            try await host.manager.rollBack(TestHost.shop)
            #expect(try host.versions() == ["1.0.0", "1.2.0"])
        }
    }

    @Test("an update of what has run keeps it, and lets go of what ran before")
    func nextThatRan() async throws {
        try await Self.withShop(["1.0.0"]) { host in
            for (version, kept) in [("1.1.0", "1.0.0"), ("1.2.0", "1.1.0")] {
                try host.registry.prove(try #require(try host.registry.active(TestHost.shop)))
                try await host.manager.install(TestHost.shop, version: host.version(version))
                #expect(try host.versions() == [version, kept])
            }
        }
    }

    @Test("an update of a bundle without code keeps the version before, because being active is all that it can show")
    func withoutCode() async throws {
        try await withHost { host in
            for (version, kept) in [("1.0.0", nil), ("1.1.0", "1.0.0"), ("1.2.0", "1.1.0")] {
                try host.offer(SamplePackage(version: version, kind: "assets", library: nil))
                try await host.manager.install(TestHost.shop)
                #expect(try host.versions() == [version, kept])
            }
        }
    }

    @Test("an update writes only the files that changed, and reads the others before it shares them")
    func sharing() async throws {
        try await withHost { host in
            let text = String(repeating: "x", count: UnchangedFiles.smallest)
            let files = [
                "Resources/same.txt": text, "Resources/harmed.txt": text + "!", "Resources/other.txt": text + "one",
                "Resources/small.txt": "small",
            ]
            try host.offer(SamplePackage(version: "1.0.0", files: files))
            let old = try await host.manager.install(TestHost.shop).bundle
            let harmed = host.sandbox.folder(of: old).appending("Resources/harmed.txt")
            try harmed.remove()
            try harmed.write(text + "?")
            try host.offer(
                SamplePackage(version: "1.1.0", files: files.merging(["Resources/other.txt": text + "two"]) { $1 }))
            let new = try await host.manager.update(TestHost.shop).bundle
            func isShared(_ name: String) throws -> Bool {
                let files = try [old, new].map {
                    try #require(try FileStamp(ofFile: host.sandbox.folder(of: $0).appending(name)))
                }
                return files[0].file == files[1].file
            }
            #expect(try isShared("Resources/same.txt"))
            for name in ["harmed.txt", "other.txt", "small.txt"] {
                #expect(try !isShared("Resources/\(name)"))
            }
            // The loader tells libraries apart by their files.
            let library = LibraryPreflight.place(of: "libSample.so")
            #expect(try !isShared(library))
            #expect(try await host.manager.verify().last?.findings == [])
            try await host.manager.uninstall(TestHost.shop)
            #expect(try host.sandbox.plugins.names == [])
        }
    }

    @Test("an update to what is active does nothing, and one of nothing is refused")
    func updateNothing() async throws {
        try await Self.withShop(["1.2.0"]) { host in
            let before = try host.tree
            let report = try await host.manager.update(TestHost.shop)
            #expect(!report.isChange)
            #expect(try host.tree == before)
            let error = try await host.refusal(.bundleNotInstalled) {
                try await host.manager.update("com.example.app.shap")
            }
            #expect(error.nearest == [TestHost.shop])
        }
    }

    @Test("a rollback goes to the version before, and another one back again")
    func rollBack() async throws {
        try await Self.withShop(["1.0.0", "1.1.0"]) { host in
            let report = try await host.manager.rollBack(TestHost.shop)
            #expect(report.bundle.identity.version.description == "1.0.0")
            #expect(try host.versions() == ["1.0.0", "1.1.0"])
            #expect(try host.registry.patterns() == ["v/1.0.0"])
            try await host.manager.rollBack(TestHost.shop)
            #expect(try host.versions() == ["1.1.0", "1.0.0"])
            #expect(try host.registry.patterns() == ["v/1.1.0"])
            #expect(try host.folders() == ["1.0.0", "1.1.0"])
            #expect(try host.registry.history().suffix(2).map(\.event) == [.rolledBack, .rolledBack])
        }
    }

    @Test("after a rollback the newer version can be installed again")
    func forwardAgain() async throws {
        try await Self.withShop(["1.0.0", "1.1.0"]) { host in
            // As if the clock had gone on, so that the two installs of one package do not look alike.
            try await host.manager.rollBack(TestHost.shop)
            try host.age()
            try await host.manager.install(TestHost.shop, version: host.version("1.1.0"))
            #expect(try host.versions() == ["1.1.0", "1.0.0"])
            #expect(try host.folders() == ["1.0.0", "1.1.0"])
            try await host.manager.rollBack(TestHost.shop)
            #expect(try host.versions() == ["1.0.0", "1.1.0"])
        }
    }

    @Test("after a rollback an update keeps the active version, and prunes the one that was given up")
    func updateAfterRollback() async throws {
        try await Self.withShop(["1.0.0", "1.1.0"]) { host in
            try await host.manager.rollBack(TestHost.shop)
            try await host.manager.update(TestHost.shop)
            #expect(try host.versions() == ["1.2.0", "1.0.0"])
            #expect(try host.folders() == ["1.0.0", "1.2.0"])
        }
    }

    @Test("a rollback without a version before, or whose version is gone, is refused")
    func rollBackRefused() async throws {
        try await Self.withShop(["1.0.0"]) { host in
            try await host.refusal(.nothingToRollBack) { try await host.manager.rollBack(TestHost.shop) }
            try await host.refusal(.bundleNotInstalled) { try await host.manager.rollBack("com.example.none") }
            try await host.manager.update(TestHost.shop)
            let previous = try #require(try host.registry.installed(TestHost.shop)?.previous)
            try host.sandbox.folder(of: previous.identity, digest: previous.digest).remove()
            try await host.refusal(.bundleUnavailable) { try await host.manager.rollBack(TestHost.shop) }
        }
    }

    @Test("a rollback to a version that this host cannot load is refused")
    func unloadableRollback() async throws {
        try await WayBackTests.withUnloadable { host, _ in
            let error = try await host.refusal(.libraryUnloadable) { try await host.manager.rollBack(TestHost.shop) }
            #expect("\(error)".contains("answer"), "\(error)")
        }
    }

    @Test("a bundle that is named twice is named once")
    func twice() async throws {
        try await Self.withShop(["1.0.0", "1.1.0"]) { host in
            let shop = TestHost.shop
            let back = try await host.manager.rollBack([shop, shop])
            #expect(back.map(\.bundle.identity.description) == ["\(shop)@1.0.0"])
            let updated = try await host.manager.change([.update(shop), .update(shop)])
            #expect(updated.count == 1)
            let installed = try await host.manager.change([.install(shop), .install(shop)])
            #expect(installed.count == 1)
            let removed = try await host.manager.uninstall([shop, shop]).removed
            #expect(removed.count == 1)
        }
    }

    @Test("a rollback to routes that another bundle has by now is refused")
    func rollBackConflict() async throws {
        try await Self.withShop(["1.0.0", "1.1.0"]) { host in
            try host.offer(SamplePackage(identifier: "com.example.app.other", routes: ["v/1.0.0"]))
            try await host.manager.install("com.example.app.other")
            try await host.refusal(.routeConflict) { try await host.manager.rollBack(TestHost.shop) }
            #expect(try host.versions() == ["1.1.0", "1.0.0"])
        }
    }

    @Test("an uninstall takes all versions, routes and targets, and leaves the data", arguments: [false, true])
    func uninstall(deleteData: Bool) async throws {
        try await Self.withShop(["1.0.0", "1.1.0"]) { host in
            let diary = try host.sandbox.container(of: TestHost.shop).appending("Documents/diary")
            try diary.write("kept")
            let gone = try await host.manager.uninstall(TestHost.shop, deleteData: deleteData)
            #expect(gone.identity.version.description == "1.1.0")
            #expect(try host.registry.installed().isEmpty)
            #expect(try host.registry.patterns().isEmpty)
            #expect(try host.registry.targets().isEmpty)
            #expect(try host.sandbox.plugins.names == [])
            #expect(try host.sandbox.staging.names == [])
            #expect(diary.exists != deleteData)
            #expect(try host.sandbox.container(of: TestHost.shop).exists != deleteData)
            #expect(try host.registry.history().last?.event == .uninstalled)
            #expect(host.states(of: "com.example.app.shop@1.0.0").last == "removed")
            #expect(host.states(of: "com.example.app.shop@1.1.0").last == "removed")
            try await host.refusal(.bundleNotInstalled) { try await host.manager.uninstall(TestHost.shop) }
        }
    }

    @Test("what was uninstalled can be installed again, and finds its data")
    func reinstall() async throws {
        try await Self.withShop(["1.0.0", "1.1.0"]) { host in
            let diary = try host.sandbox.container(of: TestHost.shop).appending("Documents/diary")
            try diary.write("kept")
            try await host.manager.uninstall(TestHost.shop)
            try await host.manager.install(TestHost.shop, version: host.version("1.0.0"))
            #expect(try host.versions() == ["1.0.0", nil])
            #expect(try diary.text == "kept")
            #expect(try host.registry.history().map(\.event) == [.installed, .updated, .uninstalled, .installed])
        }
    }

    @Test("where there is no sandbox nothing is made")
    func nothingThere() async throws {
        try await withHost { host in
            try await host.refusal(.bundleNotInstalled) { try await host.manager.update(TestHost.shop) }
            try await host.refusal(.bundleNotInstalled) { try await host.manager.rollBack(TestHost.shop) }
            try await host.refusal(.bundleNotInstalled) { try await host.manager.uninstall(TestHost.shop) }
            try await host.refusal(.bundleNotInstalled) { try await host.manager.principal(of: TestHost.shop) }
            #expect(!host.sandbox.root.exists)
        }
    }

    @Test("a sandbox that somebody had alone and in which nothing was installed is gone afterwards")
    func openedOnly() async throws {
        try await withHost { host in
            try await host.manager.whileAlone {
                await #expect(throws: AtriumError.self) { try await host.manager.install(TestHost.shop) }
            }
            #expect(!host.sandbox.root.exists)
        }
    }

    @Test("while another host changes the sandbox a change is refused, and who it is is told")
    func twoWriters() async throws {
        try await Self.withShop(["1.0.0"]) { host in
            let other = try host.another()
            try await other.manager.whileAlone {
                let error = try await host.refusal(.sandboxBusy) { try await host.manager.update(TestHost.shop) }
                #expect(error.detail.hasPrefix("process "))
            }
            #expect(!host.sandbox.lock.exists)
            try await host.manager.update(TestHost.shop)
            #expect(try other.versions() == ["1.2.0", "1.0.0"])
        }
    }

    @Test("while another host runs plugins the sandbox can be changed, and what that host uses stays on the disk")
    func besideRunning() async throws {
        try await Self.withShop(["1.0.0", "1.1.0"]) { host in
            let other = try host.another()
            _ = try await other.manager.resources(of: TestHost.shop)
            try await host.manager.rollBack(TestHost.shop)
            try await host.manager.update(TestHost.shop)
            try await host.manager.uninstall(TestHost.shop)
            // The version that the other host has looked into is left to it.
            #expect(try host.folders() == ["1.1.0"])
            #expect(try await host.manager.collectGarbage().inUse.map(\.lastComponent.description).count == 1)
            await other.manager.deactivateAll()
            #expect(try await host.manager.collectGarbage().removed.count == 1)
            #expect(!host.sandbox.plugins.appending(TestHost.shop).exists)
        }
    }
}
