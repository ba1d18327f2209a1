import Doctor
import PluginCatalog
import PluginCore
import PluginRouter
import SQLite
import Synchronization
import Testing
@testable import HostSystem
@testable import PluginRuntime
@testable import Registry

@Suite("Version pins, and unneeded dependencies", .tags(.medium))
struct PinTests {
    private let host = TestHost()

    /// Installs 1.0.0, and offers later versions.
    private func installFirst(offering later: String...) async throws {
        try await host.install(SamplePackage())
        for version in later { try host.offer(SamplePackage(version: version)) }
    }

    /// Updates from 1.0.0 to 1.1.0 and rolls back.
    private func rollBack() async throws {
        try await installFirst(offering: "1.1.0")
        try await host.manager.update(.shop)
        try await host.manager.rollBack(.shop)
    }

    @Test("After a rollback an update skips the version that was rolled back and takes only a newer one")
    func rollback() async throws {
        try await rollBack()
        #expect(try host.registry.notes.notes(about: .shop).pin?.skippedThrough?.description == "1.1.0")
        #expect(try await host.manager.update(.shop).isChange == false)
        #expect(try host.manager.diagnosis(of: .shop).installable == nil)
        let updateReport = try #require(try host.manager.offers.updateReports().first)
        #expect(!updateReport.isOutdated && updateReport.obstacle?.code == .pinned)
        try host.offer(SamplePackage(version: "1.0.5"))
        #expect(try await host.manager.update(.shop).isChange == false)
        try host.offer(SamplePackage(version: "1.1.1"))
        try await host.manager.update(.shop)
        #expect(try host.versions() == ["1.1.1", "1.0.0"] && host.folders() == ["1.0.0", "1.1.1"])
        #expect(try host.registry.notes.pins() == [:])
    }

    @Test("An explicitly requested version is installed even if it was rolled back before")
    func named() async throws {
        try await rollBack()
        let left = try host.version("1.1.0")
        // Simulates the passage of time, so that the two installs of one package differ.
        try host.age()
        try await host.manager.install(.shop, version: left)
        #expect(try host.versions() == ["1.1.0", "1.0.0"])
        #expect(try host.folders() == ["1.0.0", "1.1.0"])
        #expect(try host.registry.notes.pins() == [:])
        try await host.manager.rollBack(.shop)
        try await host.manager.change([.install(.shop, left)], staging: true)
        try await host.restart()
        #expect(try host.versions() == ["1.1.0", "1.0.0"])
    }

    @Test("A rollback's update limit ends with the next rollback or with unpin, which does nothing without need")
    func endOfRollback() async throws {
        try await rollBack()
        try await host.manager.rollBack(.shop)
        #expect(try host.versions() == ["1.1.0", "1.0.0"])
        #expect(try host.registry.notes.pins() == [:])
        try await host.manager.rollBack(.shop)
        #expect(try await host.pins.unpin(.shop)?.skippedThrough?.description == "1.1.0")
        // A change that isn't needed takes no lock and changes nothing.
        let (before, lock) = (try host.tree, WriterLock(host.sandbox))
        try await lock.acquire()
        #expect(try await host.pins.unpin(.shop) == nil)
        lock.release()
        #expect(try host.tree == before)
        #expect(try await host.manager.update(.shop).isChange)
    }

    @Test("A pin restricts updates, explicit requests, rollbacks and the requirements of other bundles to its range")
    func range() async throws {
        try await installFirst(offering: "1.1.0", "2.0.0")
        let range = try #require(VersionRange("^1.0.0"))
        try await host.pins.pin(.shop, to: range)
        #expect(try await host.manager.update(.shop).bundle.identity.version.description == "1.1.0")
        try await host.refusal(.pinned, because: "pinnedTo(range: ^1.0.0)") { try await host.install(version: "2.0.0") }
        try host.offer(SamplePackage(identifier: "com.example.app.user", requires: [TestHost.shop: "^2.0.0"]))
        let conflict = try await host.refusal(.requirementUnmet) {
            try await host.manager.install("com.example.app.user")
        }
        #expect(conflict.reason?.description.contains(TestHost.shop.text) == true, "\(conflict)")
        try await host.pins.pin(.shop)
        try await host.refusal(.pinned) { try await host.manager.rollBack(.shop) }
        try await host.pins.unpin(.shop)
        try await host.manager.update(.shop)
        #expect(try host.versions() == ["2.0.0", "1.1.0"])
    }

    @Test("A pin unstages a version outside its range, and an uninstall removes the pin")
    func staged() async throws {
        try await installFirst(offering: "1.1.0")
        try await host.manager.change([.update(.shop)], staging: true)
        let (pin, unstaged) = try await host.pins.pin(.shop)
        #expect(pin.versions?.description == "1.0.0" && unstaged?.identity.version.description == "1.1.0")
        #expect(try host.staged == [])
        try await host.manager.uninstall(.shop)
        #expect(try host.registry.notes.pins() == [:])
        try await host.refusal(.bundleNotInstalled) { try await host.pins.pin(.shop) }
    }

    @Test("The automatic rollback after a crash ignores a pin and creates none")
    func crash() async throws {
        try await installFirst(offering: "1.1.0")
        try await host.manager.update(.shop)
        try await host.pins.pin(.shop)
        try host.recordCrash(.shop)
        try await host.restart()
        #expect(try host.versions() == ["1.0.0", nil])
        #expect(try host.registry.notes.notes(about: .shop).pin?.skippedThrough == nil)
    }

    @Test("A rebuild preserves pins, install reasons, uninstalled bundles and pending deletions of data")
    func rebuilt() async throws {
        try await installFirst(offering: "1.1.0")
        try await host.install(SamplePackage(identifier: "com.example.app.gone"))
        try await host.manager.uninstall("com.example.app.gone")
        let range = try #require(VersionRange("^1.0.0"))
        try await host.pins.pin(.shop, to: range)
        try host.registry.notes.change("com.example.app.gone") { $0.isErased = true }
        try await host.rebuild()
        #expect(try host.registry.notes.erased() == ["com.example.app.gone"])
        #expect(try host.registry.notes.pins().values.map(\.versions) == [range])
        #expect(try host.registry.notes.reasons() == [TestHost.shop: .requested])
        #expect(try host.registry.notes.uninstalled() == ["com.example.app.gone"])
    }

    private static let (lib, tool, user): (BundleIdentifier, BundleIdentifier, BundleIdentifier) = (
        "com.example.lib.base", "com.example.lib.tool", "com.example.app.user"
    )

    private func installUser() async throws {
        try host.offer(
            SamplePackage(identifier: Self.lib), SamplePackage(identifier: Self.tool, requires: [Self.lib: "^1.0.0"]),
            SamplePackage(identifier: Self.user, requires: [Self.tool: "^1.0.0"]))
        try await host.manager.install(Self.user)
    }

    private func unneeded() throws -> [BundleIdentifier] {
        try host.uninstall.unneeded().map(\.identity.identifier)
    }

    @Test("A bundle installed only as a requirement is unneeded once its last dependent is removed")
    func removal() async throws {
        try await installUser()
        #expect(
            try host.registry.notes.reasons() == [Self.user: .requested, Self.tool: .required, Self.lib: .required])
        let remedies = { try host.manager.diagnosis(of: Self.lib).findings.compactMap(\.remedy) }
        #expect(try unneeded() == [] && remedies() == [])
        #expect(try await host.uninstall.removeUnneeded() == [])
        try await host.manager.uninstall(Self.user)
        #expect(try unneeded() == [Self.lib, Self.tool] && remedies() == [ErrorReason("runAutoremove")])
        let removed = try await host.uninstall.removeUnneeded()
        #expect(Set(removed.map(\.identity.identifier)) == [Self.lib, Self.tool])
        #expect(try host.registry.active.all() == [])
        // They were not uninstalled explicitly, so an on-demand install may bring them back.
        #expect(try host.registry.notes.uninstalled() == [Self.user])
    }

    @Test("A bundle that was requested by name is never unneeded")
    func requested() async throws {
        try await installUser()
        try await host.manager.install(Self.tool)
        try await host.manager.uninstall(Self.user)
        #expect(try unneeded() == [])
        try await host.manager.uninstall(Self.tool)
        #expect(try unneeded() == [Self.lib])
    }

    @Test("A bundle that is requested while its removal waits for the lock stays")
    func requestedMeanwhile() async throws {
        try await installUser()
        try await host.manager.uninstall(Self.user)
        let lock = WriterLock(host.sandbox)
        try await lock.acquire()
        // The bundles are unneeded when the task is created.
        let removal = Task.immediate { try await host.uninstall.removeUnneeded() }
        try host.registry.notes.change(Self.tool) { $0.install(because: .requested) }
        lock.release()
        #expect(try await removal.value == [])
        #expect(try host.registry.active.version(of: Self.tool) != nil)
    }

    @Test("A bundle that a rollback target needs isn't unneeded")
    func previous() async throws {
        try await installUser()
        try host.offer(SamplePackage(identifier: Self.user, version: "1.1.0"))
        try await host.manager.update(Self.user)
        #expect(try unneeded() == [])
        try host.offer(SamplePackage(identifier: Self.user, version: "1.2.0"))
        try await host.manager.update(Self.user)
        #expect(try unneeded() == [Self.lib, Self.tool])
    }

    @Test("A bundle that a staged version needs isn't unneeded, and an update preserves the install reason")
    func neededByStaged() async throws {
        try await installUser()
        try host.offer(SamplePackage(identifier: Self.tool, version: "1.1.0", requires: [Self.lib: "^1.0.0"]))
        try await host.manager.update(Self.tool)
        #expect(try host.registry.notes.reasons()[Self.tool] == .required)
        try host.offer(SamplePackage(identifier: "com.example.app.new", requires: [Self.tool: "^1.0.0"]))
        try await host.manager.change([.install("com.example.app.new")], staging: true)
        try await host.manager.uninstall(Self.user)
        #expect(try unneeded() == [])
    }
}

@Suite("On-demand install policy", .tags(.medium))
struct OnDemandInstallTests {
    private static let base: BundleIdentifier = "com.example.lib.base"
    private let host: TestHost

    /// Offers a bundle with an address and its requirement.
    init() throws {
        host = TestHost()
        try host.offer(
            SamplePackage(identifier: Self.base, kind: "assets", library: nil),
            SamplePackage(
                kind: "assets", requires: [Self.base: "^1.0.0"],
                routes: [#"{"pattern": "shop", "page": "item", "layout": "main/item"}"#], library: nil,
                files: ["Resources/Pages/main.json": #"{"pages": {"item": {"title": "item", "content": []}}}"#]))
    }

    private let questions = Collected<OnDemandPolicy.Question>()

    private func policy(_ rule: OnDemandPolicy.Rule, answering answer: Bool) -> OnDemandPolicy {
        OnDemandPolicy(rule: rule) { question in
            questions.add(question)
            return answer
        }
    }

    @Test("A bundle that was uninstalled by name isn't installed on demand without a confirmation")
    func uninstalled() async throws {
        try await host.router.open("app://shop")
        try await host.manager.uninstall(.shop)
        let error = try await host.refusal(.installNotAllowed) { try await host.router.open("app://shop") }
        #expect(error.subject == TestHost.shop.text && error.reason == ErrorReason("uninstalledByName"), "\(error)")
        #expect(try await host.router.canOpen(ResourceURI("app://shop")) == false)
        host.onDemandSettings.allow(by: policy(.always, answering: false))
        try await host.refusal(.installNotAllowed) { try await host.router.open("app://shop") }
        host.onDemandSettings.allow(by: policy(.always, answering: true))
        try await host.router.open("app://shop")
        #expect(questions.all.map(\.bundle.identifier) == [TestHost.shop, TestHost.shop])
        #expect(questions.all.map(\.uninstalled) == [[TestHost.shop], [TestHost.shop]])
        #expect(try host.registry.notes.uninstalled() == [])
    }

    @Test("A bundle that was uninstalled by name isn't installed on demand as a requirement either")
    func required() async throws {
        try await host.manager.install(Self.base)
        try await host.manager.uninstall(Self.base)
        try await host.refusal(.installNotAllowed, of: Self.base.text) { try await host.router.open("app://shop") }
        // Requesting the other bundle by name includes its requirements.
        try await host.manager.install(.shop)
        #expect(try host.registry.notes.uninstalled() == [])
    }

    @Test("The rule to ask installs nothing without a confirmation, and the rule to never install installs nothing")
    func rules() async throws {
        for policy in [
            OnDemandPolicy(rule: .never, from: "--no-install"), OnDemandPolicy(rule: .ask, from: "bundle.json"),
        ] {
            host.onDemandSettings.allow(by: policy)
            let error = try await host.refusal(.installNotAllowed) { try await host.router.open("app://shop") }
            #expect(error.reason?.values == ["source": .text(policy.source)], "\(error)")
        }
        host.onDemandSettings.allow(by: policy(.ask, answering: true))
        try await host.router.open("app://shop")
        let question = try #require(questions.all.first)
        #expect(question.others.map(\.identifier) == [Self.base] && question.uninstalled == [])
        #expect(try host.registry.notes.reasons() == [TestHost.shop: .onDemand, Self.base: .required])
    }
}
