import Doctor
import PluginCatalog
import PluginCore
import Testing
@testable import PluginRuntime
@testable import Registry

@Suite("Startup tasks of a host, and staged versions", .tags(.large))
struct LaunchPreparationTests {
    private let host = TestHost()

    /// Returns a manager whose host ships packages of the given versions.
    private func shipping(_ versions: String...) throws -> Host {
        try host.shipping(versions.map { Self.app($0) })
    }

    @Test("Startup usually has nothing to do and then writes nothing")
    func nothing() async throws {
        #expect(try await host.manager.prepareForLaunch().isEmpty)
        #expect(!host.sandbox.root.exists)
        try await host.install(SamplePackage())
        let before = try host.tree
        #expect(try await host.restart().isEmpty)
        #expect(try host.tree == before)
    }

    @Test("The newest package that ships with the host, and is not quarantined, is installed at startup if it is newer")
    func builtIn() async throws {
        try await host.install(Self.app("1.0.0"))
        let manager = try shipping("1.2.0", "1.3.0")
        try host.block("1.3.0", in: host.root.appending("shipped"))
        #expect(try await manager.prepareForLaunch().map(\.bundle.identity.version.description) == ["1.2.0"])
        #expect(try host.versions() == ["1.2.0", "1.0.0"])
        // The same packages are not examined again until a new one appears.
        let before = try host.tree
        #expect(try await manager.prepareForLaunch().isEmpty)
        #expect(try host.tree == before)
    }

    @Test("A package that ships with the host isn't installed if it is older or was rolled back")
    func notBuiltIn() async throws {
        try await host.install(Self.app("1.0.0"))
        #expect(try await shipping("0.9.0").prepareForLaunch().isEmpty)
        try await shipping("1.2.0").prepareForLaunch()
        try await host.manager.rollBack(.shop)
        #expect(try await shipping("1.2.0", "1.1.0").prepareForLaunch().isEmpty)
        #expect(try host.versions() == ["1.0.0", "1.2.0"])
        // A version newer than any that the user has rolled back is installed.
        #expect(try await shipping("1.2.1").prepareForLaunch().count == 1)
    }

    @Test(
        "A shipped update that needs the catalog is tried again at the next start if the catalog could not be asked",
        arguments: [AtriumError.Code.catalogUnreachable, .catalogNotFetched, .catalogUntrusted, .downloadFailed])
    func builtInWithoutCatalog(code: AtriumError.Code) async throws {
        let money: BundleIdentifier = "com.example.lib.money"
        try await host.install(SamplePackage())
        let update = SamplePackage(version: "1.2.0", requires: [money: "^2.0.0"])
        let unavailable = try host.shipping([update], beside: UnavailableCatalog(AtriumError(code, "catalog")))
        #expect(try await unavailable.prepareForLaunch().isEmpty)
        #expect(try host.versions() == ["1.0.0", nil])
        try host.offer(SamplePackage(identifier: money, version: "2.3.0"))
        #expect(try await !host.shipping([]).prepareForLaunch().isEmpty)
        #expect(try host.versions() == ["1.2.0", "1.0.0"])
    }

    @Test("Startup removes leftovers of staging unless another process changes the sandbox", arguments: [false, true])
    func remains(isBusy: Bool) async throws {
        try await host.install(Self.app("1.0.0"))
        let folder = host.sandbox.staging.appending("rest")
        try folder.makeFolder()
        try folder.appending("file").write("half")
        let other = host.another()
        if isBusy {
            try await host.writer.withWriterLock { try await other.manager.prepareForLaunch() }
        } else {
            try await other.manager.prepareForLaunch()
        }
        #expect(folder.exists == isBusy && other.log.isEmpty)
    }

    @Test("Staged versions and shipped packages wait, and the host starts, while another process changes the sandbox")
    func busy() async throws {
        try host.offer(Self.app("1.0.0"), Self.app("1.1.0"))
        try await host.install(version: "1.0.0")
        try await host.manager.change([.update(.shop)], staging: true)
        let other = host.another()
        #expect(try await host.writer.withWriterLock { try await other.manager.prepareForLaunch().isEmpty })
        #expect(other.log.count == 1 && other.log[0].hasPrefix("activationPostponed("))
        #expect(try await other.manager.prepareForLaunch().count == 1)
        let manager = try shipping("1.2.0")
        #expect(try await host.writer.withWriterLock { try await manager.prepareForLaunch().isEmpty })
        #expect(try await manager.prepareForLaunch().count == 1)
    }

    static let lib: BundleIdentifier = "com.example.lib"
    static let app = TestHost.shop

    private static func lib(_ version: String) -> SamplePackage {
        SamplePackage(identifier: lib, version: version, kind: "assets", library: nil)
    }

    private static func app(_ version: String, needs range: String? = nil) -> SamplePackage {
        SamplePackage(version: version, kind: "assets", requires: range.map { [lib: $0] } ?? [:], library: nil)
    }

    /// Installs 1.0.0 of the app, offers packages, and stages the newest version of the app.
    private func stage(_ packages: SamplePackage...) async throws {
        try await host.install(Self.app("1.0.0"))
        for package in packages { try host.offer(package) }
        try await host.manager.change([.update(Self.app)], staging: true)
    }

    @Test("A requirement of a staged version can be uninstalled only together with the staged version")
    func needed() async throws {
        try await host.install(Self.lib("1.0.0"))
        try await stage(Self.app("1.1.0", needs: "^1.0.0"))
        let error = try await host.refusal(.bundleNeeded) { try await host.manager.uninstall(Self.lib) }
        let need = ErrorReason(
            "needs", ["bundle": "\(Self.app)@1.1.0", "other": .text(Self.lib), "versions": "^1.0.0"])
        #expect(error.problems == [ErrorReason("needsAndStaged", ["need": .reason(need)])])
        let gone = try await host.uninstall.run([Self.lib], cascade: true).removed
        #expect(gone.map(\.identity.description) == ["\(Self.lib)@1.0.0", "\(Self.app)@1.1.0"])
        #expect(try host.versions() == ["1.0.0", nil])
        #expect(try await host.restart().isEmpty)
        #expect(try host.folders() == ["1.0.0"])
    }

    @Test("A request to stage takes versions that are already staged into account")
    func planned() async throws {
        try host.offer(Self.lib("1.0.0"), Self.app("1.0.0", needs: ">=1.0.0"))
        try await host.manager.install(Self.app)
        try host.offer(Self.lib("2.0.0"), Self.app("2.0.0", needs: "^2.0.0"))
        try await host.manager.change([.install(Self.app, host.version("2.0.0"))], staging: true)
        #expect(try host.staged == ["2.0.0", "2.0.0"])
        try host.offer(Self.lib("3.0.0"))
        try await host.refusal(.dependencyConflict) {
            try await host.manager.change([.install(Self.lib, host.version("3.0.0"))], staging: true)
        }
        try await host.refusal(.downgrade, because: "versionStaged(version: 2.0.0)") {
            try await host.manager.change([.install(Self.app, host.version("1.0.0"))], staging: true)
        }
        let again = try await host.manager.change([.install(Self.app, host.version("2.0.0"))], staging: true)
        #expect(again.allSatisfy { !$0.isChange && $0.isStaged })
        #expect(try await host.restart().count == 2)
        #expect(try host.versions() == ["2.0.0", "1.0.0"] && host.versions(Self.lib) == ["2.0.0", "1.0.0"])
    }

    @Test("A staged version is dropped if its requirement is no longer met, and the active version stays")
    func conflict() async throws {
        try await host.install(Self.lib("1.0.0"))
        try await stage(Self.lib("2.0.0"), Self.app("1.1.0", needs: "^1.0.0"))
        try await host.manager.update(Self.lib)
        #expect(try host.registry.staged.all().count == 1)
        let updateReport = try #require(try host.manager.transactions.staged.reports().first)
        #expect(updateReport.obstacle?.code == .dependencyConflict || updateReport.obstacle?.code == .requirementUnmet)
        let next = host.another()
        #expect(try await next.manager.prepareForLaunch().isEmpty)
        #expect(next.log.count == 1 && next.log[0].contains("stagedDropped("))
        #expect(next.log[0].hasPrefix("otherStaysActive("))
        #expect(try host.versions() == ["1.0.0", nil] && host.staged == [])
        // The drop is reported only once.
        let last = host.another()
        #expect(try await last.manager.prepareForLaunch().isEmpty && last.log.isEmpty)
    }

    @Test("A damaged staged version is dropped, and staged versions that don't need it become active")
    func damaged() async throws {
        try host.offer(Self.app("1.0.0"), Self.app("1.1.0"), Self.lib("1.0.0"))
        try await host.install(version: "1.0.0", of: Self.app)
        let reports = try await host.manager.change([.update(Self.app), .install(Self.lib)], staging: true)
        let folder = host.sandbox.folder(of: try #require(reports.first).bundle)
        try folder.appending("Resources/Pages/main.json").write("{ }")
        let next = host.another()
        #expect(try await next.manager.prepareForLaunch().map(\.bundle.identity.identifier) == [Self.lib])
        #expect(next.log.count == 1 && next.log[0].contains("sealBroken"))
        #expect(try host.versions() == ["1.0.0", nil] && host.staged == [])
    }

    @Test(
        "A staged version is dropped if its key has been revoked or retired", arguments: ["keyRevoked", "keyRetired"])
    func distrusted(code: String) async throws {
        try await stage(Self.app("1.1.0"))
        let members =
            code == "keyRetired"
            ? #""validUntil": "2020-01-01T00:00:00Z""#
            : #""revoked": {"at": "2020-01-01T00:00:00Z", "reason": "lost"}"#
        let text = try TestTeam.trust()
        try #require(text.hasSuffix("}]}]}"))
        try host.root.appending("trust.json").write(text.dropLast(5) + ", \(members)}]}]}")
        let next = host.another()
        #expect(try await next.manager.prepareForLaunch().isEmpty)
        #expect(next.log.count == 1 && next.log[0].contains(code))
        #expect(try host.versions() == ["1.0.0", nil] && host.staged == [])
    }

    @Test("A staged version of a bundle that isn't installed can be removed, and the history records both")
    func first() async throws {
        try host.offer(Self.app("1.0.0"), Self.lib("1.0.0"))
        try await host.manager.install(Self.lib)
        try await host.manager.change([.install(Self.app)], staging: true)
        let gone = try await host.manager.uninstall(Self.app, deleteData: true).removed
        #expect(gone.map(\.identity.description) == ["\(Self.app)@1.0.0"])
        #expect(try host.registry.history.all(of: Self.app).map(\.event) == [.staged, .pruned])
        #expect(!host.sandbox.plugins.appending(Self.app.text).exists)
        #expect(try await host.restart().isEmpty)
    }

    @Test("A staged version stays staged if the obstacle may be temporary")
    func waits() async throws {
        try host.offer(Self.app("1.0.0"))
        try await host.manager.change([.install(Self.app)], staging: true)
        let trust = host.root.appending("trust.json")
        let text = try TestTeam.trust()
        try trust.write("{")
        let next = host.another()
        #expect(try await next.manager.prepareForLaunch().isEmpty)
        #expect(
            next.log.count == 1 && next.log[0].contains("stagedPostponed(")
                && next.log[0].contains("code: trustInvalid"))
        try trust.write(text)
        #expect(try await host.restart().count == 1)
    }

    @Test("Requesting the active version by name unstages the staged version and removes its files")
    func takenBack() async throws {
        try await stage(Self.app("1.1.0"))
        // Staging the update again doesn't unstage it.
        try await host.manager.change([.update(Self.app)], staging: true)
        #expect(try host.registry.staged.all().count == 1)
        let reports = try await host.manager.change([.install(Self.app, host.version("1.0.0"))])
        #expect(reports.map(\.unstaged?.identity.version.description) == ["1.1.0"])
        #expect(reports.allSatisfy { $0.isChange })
        #expect(try host.folders() == ["1.0.0"])
        #expect(try await host.restart().isEmpty)
        #expect(try host.versions() == ["1.0.0", nil])
        let again = try await host.manager.change([.install(Self.app, host.version("1.0.0"))])
        #expect(again.allSatisfy { !$0.isChange })
    }

    @Test("A rollback to the staged version unstages it, and a rollback to another version doesn't")
    func rolledBack() async throws {
        try await host.install(Self.app("1.0.0"), Self.app("1.1.0"))
        try await host.manager.rollBack(Self.app)
        try await host.manager.change([.update(Self.app)], staging: true)
        try await host.manager.rollBack(Self.app)
        #expect(try host.registry.staged.all().isEmpty)
        #expect(try host.versions() == ["1.1.0", "1.0.0"])
        try host.offer(Self.app("1.2.0"))
        try await host.manager.change([.update(Self.app)], staging: true)
        try await host.manager.rollBack(Self.app)
        #expect(try host.staged == ["1.2.0"])
        #expect(try host.versions() == ["1.0.0", "1.1.0"])
    }
}
