import Doctor
import HostSystem
import PluginCatalog
import PluginCore
import PluginRouter
import Registry
import Synchronization
import TUF
import TUFMetadata
import Testing
@testable import PluginRuntime
@testable import RemoteCatalog

@Suite("Published catalogs", .tags(.medium), .timeLimit(.minutes(2)))
struct RemoteCatalogTests {
    private let temporary = TemporaryFolder()
    private let published: PublishedCatalog
    private let catalog: RemoteCatalog
    private let host: TestHost
    private var folder: FilePath { temporary.path }

    init() throws { (published, catalog, host) = try publishedCatalog(in: temporary.path) }

    private static let money: BundleIdentifier = "com.example.lib.money"

    @Test("A catalog is listed, and bundles with requirements are installed, although nothing is known at first")
    func install() async throws {
        try published.publish(
            SamplePackage(version: "1.0.0"), SamplePackage(version: "1.1.0", requires: [Self.money: "^2.0.0"]),
            SamplePackage(identifier: Self.money, version: "2.3.0"))
        let listing = try await catalog.search { try $0.listing() }
        let listed = ["\(TestHost.shop)@1.1.0", "\(TestHost.shop)@1.0.0", "\(Self.money)@2.3.0"]
        #expect(listing.packages.map(\.manifest.identity.description) == listed)
        let reports = try await host.manager.change([.install(.shop)])
        #expect(reports.map(\.bundle.identity.description) == ["\(TestHost.shop)@1.1.0", "\(Self.money)@2.3.0"])
        #expect(host.states(of: "\(TestHost.shop)@1.1.0").starts(with: ["known", "downloading"]))
        let files = FilePath("\(host.sandbox.catalogs)")
        for name in try files.names where files.appending(name).appending("packages").exists {
            #expect(try files.appending(name).appending("packages").names.isEmpty)
        }
    }

    @Test("The icon of a package is fetched without the package")
    func icon() async throws {
        var sample = SamplePackage(version: "1.0.0")
        sample.files["Resources/icon.png"] = "icon"
        try published.publish(sample, SamplePackage(version: "1.1.0"))
        try published.file(of: identity("1.0.0")).remove()
        #expect(try await host.manager.icon(of: identity("1.0.0")) == Array("icon".utf8))
        #expect(try await host.manager.icon(of: identity("1.1.0")) == nil)
    }

    @Test("An update is found after the catalog's metadata has changed, and its address installs a plugin on demand")
    func updateAndOnDemand() async throws {
        try published.publish(SamplePackage(version: "1.0.0", targets: ["Shop"]))
        #expect(try await host.onDemand.providingBundle(ofTarget: "Shop")?.owner == TestHost.shop.text)
        #expect(try await host.onDemand.providingBundle(ofTarget: "Nothing") == nil)
        try await host.manager.install(.shop)
        try published.publish(SamplePackage(version: "1.1.0", targets: ["Shop"]))
        let next = try host.another(catalog: published.catalog(in: host.sandbox.catalogs))
        let report = try await next.manager.update(.shop)
        #expect(report.bundle.identity == (try identity("1.1.0")))
    }

    @Test("A version that is not for this host's platform is refused before its download, and otherwise left out")
    func otherPlatform() async throws {
        let other = Platform.all.first { $0 != Platform.triple } ?? ""
        var foreign = SamplePackage(version: "1.1.0", library: nil)
        foreign.files["lib/\(other)/libSample.so"] = "for another machine"
        try published.publish(foreign)
        try published.file(of: identity("1.1.0")).remove()
        let error = try await failingAsync(.libraryMissing) { try await host.manager.install(.shop) }
        #expect(
            error.reason
                == ErrorReason("otherPlatforms", ["platforms": .list([other]), "host": .text(Platform.triple)]))
        try published.publish(SamplePackage(version: "1.0.0"))
        let next = try host.another(catalog: published.catalog(in: host.sandbox.catalogs))
        let blocked = try await next.manager.search { offers in
            let rule = try offers.packageBlockRule()
            return try offers.catalog.listing().packages.map { try rule($0)?.code }
        }
        #expect(blocked == [.libraryMissing, nil])
        let report = try await next.manager.install(.shop)
        #expect(report.bundle.identity == (try identity("1.0.0")))
        #expect(report.skippedVersions.map(\.error.code) == [.libraryMissing])
    }

    @Test("A running host sees what was published after a refresh, and at the latest when its state is too old")
    func refresh() async throws {
        try await published.publishUpdate(for: host)
        #expect(try await !host.manager.update(.shop).isChange)
        try await catalog.refresh()
        #expect(try await host.manager.update(.shop).isChange)
        let brief = try host.another(catalog: published.catalog(in: host.sandbox.catalogs) { $0.maximumAge = 0.5 })
        #expect(try await !brief.manager.update(.shop).isChange)
        try published.publish(SamplePackage(version: "1.2.0"))
        try await Task.sleep(for: .milliseconds(600))
        #expect(try await brief.manager.update(.shop).isChange)
    }

    @Test(
        "A catalog without a pinned root, or whose root was forgotten, is not trusted, and a root is pinned only once")
    func trust() async throws {
        try published.publish(SamplePackage())
        let catalog = try RemoteCatalog(
            RemoteCatalogSettings(address: published.address, catalogs: folder.appending("catalogs")))
        let search = { _ = try await catalog.search { try $0.versions(of: .shop) } }
        try await failingAsync(.catalogUntrusted, because: "rootNotPinned") { try await search() }
        try catalog.pin(root: PublishedCatalog(at: folder.appending("other")).root)
        await #expect(throws: AtriumError.self) { try await catalog.refresh() }
        #expect(throws: AtriumError.self) { try catalog.pin(root: published.root) }
        #expect(try catalog.hasRoot)
        try catalog.forget()
        #expect(try !catalog.hasRoot)
        try await failingAsync(.catalogUntrusted, because: "rootNotPinned") { try await catalog.refresh() }
        try catalog.pin(root: published.root)
        try await catalog.refresh()
        // A host pins the root that it ships with at its first start.
        for _ in 0..<2 {
            let source: RemoteCatalog = try .catalog(
                published.address, root: published.root, in: folder.appending("host"))
            #expect(try await source.search { try $0.versions(of: .shop) }.count == 1)
        }
    }

    @Test("Without the server, the last trusted state is used, and the host is told")
    func offline() async throws {
        let failures = Mutex<[AtriumError]>([])
        try published.publish(SamplePackage(version: "1.0.0"))
        try await host.manager.install(.shop)
        try published.folder.appending("metadata").remove()
        let later = try published.catalog(in: host.sandbox.catalogs) {
            $0.onFallback = { error, _ in failures.withLock { $0.append(error) } }
        }
        #expect(try await later.search { try $0.versions(of: .shop) }.map(\.description) == ["1.0.0"])
        #expect(failures.withLock { $0.map(\.code) } == [.catalogUnreachable])
        try await failingAsync(.catalogUnreachable) { try await later.search { try $0.requireReachable() } }
    }

    @Test("Without the server, an expired state is an unreachable catalog, and shipped packages are installed")
    func offlineAfterExpiry() async throws {
        let past = UTCTime(seconds: Int(Clock.now()) - 100 * 86_400)
        let published = try PublishedCatalog(at: folder.appending("expired"), at: past)
        let settings = try RemoteCatalogSettings(
            address: published.address, catalogs: folder.appending("sandbox/Containers/Catalogs"))
        let catalog = try published.catalog(in: settings.catalogs)
        let source = FolderSource(published.folder.appending("metadata").string)
        let client = TUFClient(
            folder: settings.folder.appending("metadata").string, metadata: source, targets: source
        ) { past }
        _ = try await client.refresh()
        try published.folder.appending("metadata").remove()
        try await failingAsync(.catalogUnreachable) { try await catalog.search { try $0.versions(of: .shop) } }
        let shipped = folder.appending("shipped")
        try shipped.makeFolder()
        try SamplePackage(version: "1.0.0").write(to: shipped)
        let host = TestHost(folder, catalog: LayeredCatalog([DirectoryCatalog(folder: shipped), catalog]))
        try await host.manager.install(.shop)
    }

    @Test("A package that was changed on the server is refused, the failure is reported, and nothing changes")
    func tampered() async throws {
        try await published.publishUpdate(for: host)
        let file = try published.file(of: identity("1.1.0"))
        var bytes = try file.bytes
        bytes[bytes.count / 2] ^= 1
        try file.write(bytes)
        let next = try host.another(catalog: published.catalog(in: host.sandbox.catalogs))
        let before = try host.registry.active.all()
        try await failingAsync(.downloadFailed) { try await next.manager.update(.shop) }
        let result = try await next.manager.transactions.install.update([.shop])
        #expect(result.failures.count == 1 && result.reports.map(\.isChange) == [false])
        #expect(try host.registry.active.all() == before)
        #expect(try next.versions() == ["1.0.0", nil])
    }

    @Test("A failed download leaves its bundle and those that need it as they are, and all others are updated")
    func failedDownload() async throws {
        let (account, orders): (BundleIdentifier, BundleIdentifier) = (
            "com.example.app.account", "com.example.app.orders"
        )
        let old = [TestHost.shop, account, orders, Self.money].map { SamplePackage(identifier: $0, version: "1.0.0") }
        for package in old { try published.publish(package) }
        try await host.manager.change([TestHost.shop, account, orders, Self.money].map { .install($0) })
        try published.publish(
            SamplePackage(identifier: .shop, version: "1.1.0", requires: [Self.money: "^1.1.0"]),
            SamplePackage(identifier: account, version: "1.1.0"),
            SamplePackage(identifier: orders, version: "1.1.0", requires: [account: "^1.0.0"]),
            SamplePackage(identifier: Self.money, version: "1.1.0"))
        try await catalog.refresh()
        let file = try published.file(of: identity("1.1.0", of: Self.money))
        let bytes = try file.bytes
        try file.remove()
        let install = host.manager.transactions.install
        await #expect(throws: AtriumError.self) {
            try await host.manager.change([.update(account), .update(Self.money)])
        }
        #expect(try host.versions(account) == ["1.0.0", nil])

        let identifiers = try host.registry.active.identifiers()
        let result = try await install.update(identifiers)
        #expect(result.failures.map(\.identity) == [try identity("1.1.0", of: Self.money)])
        #expect(result.failures.first?.error.code == .downloadFailed)
        #expect(result.waiting == [try identity("1.1.0")])
        #expect(result.reports.map(\.bundle.identity.identifier) == identifiers)
        #expect(
            try [TestHost.shop, Self.money, account, orders].map { try host.versions($0)[0] }
                == ["1.0.0", "1.0.0", "1.1.0", "1.1.0"])

        try file.write(bytes)
        let rest = try await install.update(identifiers)
        #expect(rest.failures.isEmpty && rest.waiting.isEmpty)
        #expect(try host.versions(.shop)[0] == "1.1.0")
    }

    @Test("A version of another channel, or one that is rolled out to nobody, is not offered")
    func channels() async throws {
        try published.publish(SamplePackage(version: "1.0.0"))
        try published.publish(SamplePackage(version: "1.1.0"), rollout: 0)
        try published.publish(SamplePackage(version: "2.0.0"), channel: "beta")
        #expect(try await host.manager.install(.shop).bundle.identity == (try identity("1.0.0")))
        let beta = try published.catalog(in: host.sandbox.catalogs) { $0.channels = ["stable", "beta"] }
        let next = host.another(catalog: beta)
        #expect(try await next.manager.update(.shop).bundle.identity == (try identity("2.0.0")))
    }

    @Test("A staged rollout reaches about its share of the installations, and a larger share reaches the same ones")
    func rollout() async throws {
        func reached(_ percent: Int) async throws -> Set<Int> {
            try published.publish(SamplePackage(version: "1.0.0"), rollout: percent)
            var reached: Set<Int> = []
            for number in 0..<100 {
                let catalog = try published.catalog(in: folder.appending("catalogs-\(number)"))
                if try await catalog.search({ try $0.versions(of: .shop) }).count == 1 {
                    reached.insert(number)
                }
            }
            return reached
        }
        let (some, more) = (try await reached(10), try await reached(40))
        #expect(some.isSubset(of: more))
        #expect(1...30 ~= some.count && 20...60 ~= more.count)
        #expect(try await reached(100).count == 100)
    }

    @Test("A bundle of which only a tester's version is published keeps its identifier from a later source")
    func ownedByChannel() async throws {
        try published.publish(SamplePackage(version: "1.0.0"), channel: "beta")
        let open = host.root.appending("public")
        try open.makeFolder()
        try SamplePackage(version: "9.0.0").write(to: open)
        let both = PrioritizedCatalog([.init(catalog), .init(DirectoryCatalog(folder: open))])
        #expect(try await both.search { try $0.versions(of: .shop) }.isEmpty)
    }

    @Test("A prefix that no identifier can have is refused, because it would protect nothing")
    func prefixes() throws {
        let address = try #require(CatalogAddress("https://plugins.example.org"))
        for prefix in ["com", "com.example"] {
            #expect(CatalogSource(name: "a", address: address, prefixes: [prefix]).invalidValue == nil, "\(prefix)")
        }
        for prefix in ["", "com.example.", "com.example.*", "com..example", "com example"] {
            let source = CatalogSource(name: "a", address: address, prefixes: [prefix])
            #expect(source.invalidValue?.field == .prefix, "\(prefix)")
        }
        #expect(CatalogSource(name: "a", address: address, channels: ["Beta!"]).invalidValue?.field == .channel)
    }

    @Test("The list of catalogs keeps mirrors and authorities, and refuses mirrors that are no web servers")
    func sources() async throws {
        let file = CatalogSourceFile(catalogs: folder)
        var source = CatalogSource(name: "a", address: .web("https://plugins.example.org"))
        try file.change { $0 = [source] }
        #expect(try file.read() == [source])
        source.mirrors = [.web("https://mirror.example.org"), .web("http://127.0.0.1:8080")]
        source.authorities = "/etc/company.pem"
        try file.change { $0 = [source] }
        #expect(try file.read() == [source])
        source.mirrors.append(.folder("/srv/mirror"))
        #expect(source.invalidValue?.field == .mirror)
        try file.change { $0 = [source] }
        #expect(throws: AtriumError.self) { try file.read() }
        source.mirrors = []
        source.authorities = "company.pem"
        #expect(source.invalidValue?.field == .authorities)
    }

    @Test("Texts with a scheme are addresses of catalogs, and all others are not")
    func addresses() {
        #expect(CatalogAddress("https://plugins.example.org/a/") == .web("https://plugins.example.org/a"))
        #expect(CatalogAddress("HTTP://127.0.0.1:8080")?.description == "http://127.0.0.1:8080")
        #expect(CatalogAddress("file:///srv/catalog")?.description == "file:///srv/catalog")
        for text in ["", "catalog", "/catalog", "ftp://example.org", "https://", "file://host/x", "https://a b"] {
            #expect(CatalogAddress(text) == nil, "\(text)")
        }
    }

    private static func source(_ name: String) throws -> CatalogSource {
        CatalogSource(name: name, address: try #require(CatalogAddress("https://\(name).example.org")))
    }

    @Test("Changes that are made at the same time are all written")
    func concurrent() async throws {
        let names = (0..<16).map { "catalog-\($0)" }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for name in names {
                group.addTask { try CatalogSourceFile(catalogs: folder).change { try $0.append(Self.source(name)) } }
            }
            try await group.waitForAll()
        }
        #expect(try CatalogSourceFile(catalogs: folder).read().map(\.name).sorted() == names.sorted())
    }

    @Test("A change that fails writes nothing")
    func failed() throws {
        let file = CatalogSourceFile(catalogs: folder)
        try file.change { try $0.append(Self.source("company")) }
        #expect(throws: CancellationError.self) {
            try file.change { sources in
                sources = []
                throw CancellationError()
            }
        }
        #expect(try file.read().map(\.name) == ["company"])
    }

    @Test("Processes that choose the name of an installation at the same time agree")
    func installation() async throws {
        let names = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<16 { group.addTask { try Installation(file: folder.appending("new/installation")).name() } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(names.count == 1)
    }

    @Test("A search whose answers another one is fetching waits for them")
    func together() async throws {
        let answers = CatalogAnswers(RefreshClock(maximumAge: .seconds(60)))
        let begun = Mutex(false)
        let ended = Mutex(false)
        #expect(throws: AtriumError.self) { try answers.answer(.listing, of: "catalog") }
        let first = Task {
            await answers.fetchOpen { _ in
                begun.withLock { $0 = true }
                while !ended.withLock({ $0 }) { try? await Task.sleep(for: .milliseconds(1)) }
            }
        }
        while !begun.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
        // It waits for the first one before this line returns.
        let second = Task.immediate { await answers.fetchOpen { _ in } }
        ended.withLock { $0 = true }
        #expect(await first.value)
        #expect(await second.value)
    }

    @Test("An answer that arrives after the end of the state that was asked is used for some time")
    func afterEnd() async throws {
        let clock = RefreshClock(maximumAge: .seconds(2))
        let answers = CatalogAnswers(clock)
        let number = clock.advance(afterFailure: true)
        try await Task.sleep(for: .milliseconds(2_050))
        #expect(clock.current == nil)
        answers.save(.success(true), to: .reachability, of: number)
        _ = try answers.answer(.reachability, of: "catalog")
    }

    @Test("An answer from an earlier state of a catalog is not taken for one from the current state")
    func lateAnswer() throws {
        let clock = RefreshClock(maximumAge: .seconds(60))
        let answers = CatalogAnswers(clock)
        let old = clock.advance(afterFailure: false)
        answers.save(.success(true), to: .reachability, of: old)
        _ = try answers.answer(.reachability, of: "catalog")
        let new = clock.advance(afterFailure: false)
        answers.save(.success(true), to: .reachability, of: old)
        try failing(.catalogNotFetched) { try answers.answer(.reachability, of: "catalog") }
        answers.save(.success(true), to: .reachability, of: new)
        _ = try answers.answer(.reachability, of: "catalog")
    }
}
